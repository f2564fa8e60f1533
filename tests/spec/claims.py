"""Claims of safety in the README and in the table of boundaries (docs/security.md), and the tests that prove them."""

import attrs


@attrs.frozen
class Claim:
    """One sentence of the README, or one row of the table, by words of it; and its tests."""

    words: str
    tests: tuple[str, ...]


def _claim(words: str, tests: str) -> Claim:
    return Claim(words, tuple(tests.split()))


README = (
    _claim("listens on loopback", "pure/cli/test_settings.py::test_an_address_that_others_can_reach_needs_a_token"),
    _claim(
        "refuses any other address without a token, and warns",
        """
        pure/cli/test_settings.py::test_an_address_that_others_can_reach_needs_a_token
        browser/server/test_cli_serve.py::test_a_server_without_a_token_says_so
        """,
    ),
    _claim(
        "`--tls-cert` serves",
        """
        loop/gate/test_tls.py::test_the_client_connects_to_a_server_whose_authority_it_names
        loop/gate/test_tls.py::test_plain_http_is_answered_encrypted_and_ends_in_order
        """,
    ),
    _claim(
        "A web page in your own browser cannot reach it",
        """
        browser/security/test_foreign_pages.py::test_a_page_opens_a_socket_only_where_the_operator_lets_it
        browser/security/test_foreign_pages.py::test_a_page_reads_nothing_of_the_server
        browser/security/test_foreign_pages.py::test_a_rebound_name_is_not_ours
        loop/gate/test_gate.py::test_a_request_that_a_web_page_has_caused
        """,
    ),
    _claim(
        "Nor can it lock you out",
        """
        browser/security/test_foreign_pages.py::test_a_page_can_not_lock_the_clients_out
        loop/gate/test_auth.py::test_a_right_token_passes_after_any_number_of_wrong_ones
        """,
    ),
    _claim(
        "A connection has one scope",
        """
        loop/corridor/test_scope_matrix.py::test_a_client_can_not_raise_its_scope
        browser/security/test_token_policies.py::test_each_token_has_its_scope
        """,
    ),
    _claim("Each method needs one", "loop/corridor/test_scope_matrix.py::test_a_method_takes_its_scope"),
    _claim(
        "The browser's only way out is a SOCKS5 proxy",
        """
        browser/security/test_wall.py::test_no_way_leads_past_the_wall
        browser/security/test_wall.py::test_a_context_without_a_door_reaches_nothing
        browser/security/test_wall.py::test_a_host_name_is_checked_by_its_addresses
        loop/egress/test_proxy.py::test_a_pinned_answer_is_judged_each_time
        """,
    ),
    _claim(
        "hold for redirects, popups, workers, sockets and WebRTC",
        """
        browser/security/test_wall.py::test_no_way_leads_past_the_wall
        browser/security/test_wall.py::test_without_the_wall_every_way_leads_there
        """,
    ),
    _claim(
        "Cloud metadata services and the server's own port are never reachable",
        """
        loop/egress/test_proxy.py::test_metadata_is_never_reached
        loop/egress/test_proxy.py::test_our_own_port_is_never_reached
        browser/security/test_wall.py::test_no_page_reaches_the_server_itself
        """,
    ),
    _claim("Only `http:`, `https:` and `about:blank`", "pure/policy/test_urls.py::test_every_other_scheme_is_refused"),
    _claim(
        "wait for an approver",
        "browser/clients/test_approvals.py::test_a_purchase_happens_only_once_it_is_approved",
    ),
    _claim(
        "typed by an agent and not read by it",
        """
        browser/security/test_secrets.py::test_a_session_that_uses_secrets_never_receives_them
        browser/security/test_secret_spellings.py::test_no_selector_asks_for_a_part_of_a_masked_value
        """,
    ),
    _claim(
        "Password values never leave the browser",
        """
        browser/observe/test_content.py::test_passwords_stay_in_the_page
        browser/page/test_tracing.py::test_a_recording_has_no_values_of_secret_fields_and_nothing_that_was_sent
        browser/act/test_actions.py::test_secrets_stay_in_the_page
        browser/security/test_canaries.py::test_no_result_contains_a_secret_except_the_page_s_url
        """,
    ),
    _claim(
        "Clients name no program or proxy, and no path",
        """
        loop/corridor/test_operator_settings.py::test_a_launch_parameter_of_the_operator_s_is_refused_in_every_scope
        loop/corridor/test_operator_settings.py::test_no_other_method_has_a_parameter_that_names_one
        loop/corridor/test_upload_root.py::test_without_the_operator_s_option_no_path_is_taken
        """,
    ),
    _claim(
        "Each token has a browser of its own",
        """
        browser/engine/test_pool.py::test_a_crash_of_one_owners_browser_leaves_another_owners_page_alone
        browser/engine/test_pool.py::test_what_one_owner_copies_no_other_owner_can_paste
        """,
    ),
    _claim(
        "The clients of one token share a browser",
        """
        browser/engine/test_pool.py::test_clients_of_one_owner_share_an_engine
        browser/engine/test_clipboards.py::test_each_session_pastes_what_it_has_copied
        browser/engine/test_joined_browser.py::test_a_session_pastes_nothing_that_others_have_copied
        """,
    ),
    _claim(
        "`--isolation session` separates these",
        "browser/engine/test_pool.py::test_the_isolation_decides_how_many_browsers_clients_share",
    ),
)
README_LIMITS = ("How far that goes", "Not a boundary")
"""Sentences that state what is not promised."""

BOUNDARIES = (
    _claim(
        "hosts",
        """
        browser/security/test_wall.py::test_no_way_leads_past_the_wall
        browser/security/test_wall.py::test_a_browser_that_gets_past_the_wall_is_not_used
        """,
    ),
    _claim(
        "names",
        """
        browser/security/test_wall.py::test_a_host_name_is_checked_by_its_addresses
        loop/egress/test_proxy.py::test_an_answer_is_pinned
        """,
    ),
    _claim(
        "private networks",
        """
        browser/security/test_wall.py::test_private_space_is_closed_until_the_client_goes_there
        loop/egress/test_proxy.py::test_private_space_can_be_closed_for_ever
        """,
    ),
    _claim(
        "clients",
        """
        browser/engine/test_pool.py::test_the_isolation_decides_how_many_browsers_clients_share
        browser/security/test_wall.py::test_a_private_network_is_open_only_to_the_client_that_navigated_there
        browser/engine/test_clipboards.py::test_each_session_pastes_what_it_has_copied
        browser/engine/test_clipboards.py::test_a_page_that_prevents_copies_gets_no_text_of_another_session
        """,
    ),
    _claim(
        "the port",
        """
        browser/server/test_cli_serve.py::test_the_token_is_needed_and_never_logged
        browser/security/test_foreign_pages.py::test_a_page_opens_a_socket_only_where_the_operator_lets_it
        """,
    ),
    _claim("other users of the machine", "loop/gate/test_peer_uid.py::test_a_door_is_closed_to_other_users"),
)
