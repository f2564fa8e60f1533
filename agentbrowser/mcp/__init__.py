"""MCP server: the tools for models, on standard input and output and over HTTP.

The official SDK speaks the protocol. There is code of ours only where it does not meet a requirement:

- `stdio`: a signal ends the process while its input is open, and the end of the input waits for the answers. The
  SDK's streams read in a blocked thread, and cancel the requests in flight.
- `calls`: a call that asks the user continues with the answer. The SDK's stateless calls begin again.
- `request_state`: states are an HMAC in hexadecimal digits. The SDK's codec encrypts, in base64.
- `endpoint`: each response ends its connection, since the gate checks the first request only.
"""
