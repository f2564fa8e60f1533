"""Certificates for servers on loopback, made for one test."""

import datetime
import ipaddress
from pathlib import Path

import attrs
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec


@attrs.frozen
class Certificate:
    """Files of a certificate that is its own authority, and of its key."""

    cert: str
    key: str
    serial: int


def make_certificate(
    folder: Path, name: str, password: bytes | None = None, *, age_days: int = 0, curve: ec.EllipticCurve | None = None
) -> Certificate:
    """Write a certificate for 127.0.0.1 that is valid for a day, and was made some days ago."""
    key = ec.generate_private_key(curve or ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, name)])
    now = datetime.datetime.now(datetime.UTC) - datetime.timedelta(days=age_days)
    certificate = (
        x509.CertificateBuilder(subject, subject, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(hours=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]), critical=False)
        .sign(key, hashes.SHA256())
    )
    pem, pkcs8 = serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8
    plain = serialization.NoEncryption()
    protection = plain if password is None else serialization.BestAvailableEncryption(password)
    (folder / f"{name}.crt").write_bytes(certificate.public_bytes(pem))
    (folder / f"{name}.key").write_bytes(key.private_bytes(pem, pkcs8, protection))
    return Certificate(str(folder / f"{name}.crt"), str(folder / f"{name}.key"), certificate.serial_number)
