"""Sections 1 to 6: transport, envelope, errors, lifecycle, scopes, URLs."""

from typing import Final

from tests.spec.rule import Rule, tests_of

act = tests_of("browser/act/test_sequence.py")
admission = tests_of("loop/corridor/test_admission.py")
load = tests_of("browser/server/test_load.py")
metrics = tests_of("loop/watch/test_metrics.py")
actions = tests_of("browser/act/test_actions.py")
approvals = tests_of("loop/corridor/test_approvals.py")
auth = tests_of("loop/gate/test_auth.py")
codec = tests_of("pure/protocol/test_codec.py")
published = tests_of("pure/protocol/test_published.py")
session_attacks = tests_of("loop/sessions/test_sessions_attacked.py")
cold_sessions = tests_of("browser/sessions/test_cold_return.py")
fleet_nodes = tests_of("loop/fleet/test_nodes.py")
connection = tests_of("loop/corridor/test_connection.py")
contexts = tests_of("browser/sessions/test_contexts.py")
cut_off = tests_of("browser/clients/test_connection_loss.py")
contract = tests_of("browser/server/test_contract.py")
defaults = tests_of("pure/protocol/test_defaults.py")
engine_life = tests_of("browser/engine/test_engine_life.py")
errors = tests_of("pure/protocol/test_errors.py")
events = tests_of("browser/events/test_events.py")
fault_browser = tests_of("browser/faults/test_fault_browser.py")
faults = tests_of("pure/browser/test_faults.py")
floods = tests_of("loop/gate/test_floods.py")
frames = tests_of("browser/page/test_frames.py")
gate = tests_of("loop/gate/test_gate.py")
http = tests_of("loop/gate/test_http.py")
mount = tests_of("loop/gate/test_mount.py")
lanes = tests_of("loop/corridor/test_lanes.py")
pages = tests_of("browser/page/test_pages.py")
disconnects = tests_of("loop/gate/test_socket_close.py")
url_checks = tests_of("pure/server/test_url_checks.py")
wall = tests_of("browser/security/test_wall.py")
policy = tests_of("pure/policy/test_urls.py")
real_faults = tests_of("browser/faults/test_playwright_errors.py")
refs = tests_of("browser/observe/test_refs.py")
idempotency = tests_of("loop/corridor/test_idempotency.py")
scope_matrix = tests_of("loop/corridor/test_scope_matrix.py")
scopes = tests_of("pure/protocol/test_scopes.py")
script = tests_of("browser/page/test_scripts.py")
resumed_sessions = tests_of("browser/sessions/test_sessions.py")
sessions = tests_of("loop/sessions/test_sessions.py")
settings = tests_of("pure/cli/test_settings.py")
socket = tests_of("loop/gate/test_socket.py")
storage = tests_of("browser/page/test_storage.py")
session_store = tests_of("loop/sessions/test_store.py")
streams = tests_of("loop/corridor/test_streams.py")
notifications = tests_of("loop/corridor/test_notifications.py")
wire = tests_of("pure/protocol/test_wire.py")


WIRE: Final = (
    Rule(1, "One port (default 127.0.0.1:9222 [seed]) carries HTTP/1.1", gate("a_websocket_is_served_on_any_path")),
    Rule(1, "default 127.0.0.1:9222", defaults("a_default_is_the_protocols")),
    Rule(1, "no compression extension", floods("no_extension_is_accepted")),
    Rule(1, "(one that is offered is not echoed unless it is `agentbrowser` or `jsonrpc`)", floods("subprotocol")),
    Rule(1, "`GET /health` → 200", http("health_and_readiness")),
    Rule(1, "`GET /ready` → 200 or 503 with a reason", http("health_and_readiness")),
    Rule(
        1,
        "`GET /balance` → 200, or 404 while only clients of its sessions should come",
        http("a_proxy_never_ends_the_connections_of_live_sessions"),
    ),
    Rule(
        1,
        "a client keeps the cookies of the 101 response and sends them when it reconnects",
        ("loop/client/test_proxy_cookies.py::test_a_client_that_reconnects_sends_the_cookie_until_its_node_goes_away",),
    ),
    Rule(
        1,
        "From `--trusted-proxies`, and from nobody else, the server accepts it by PROXY protocol v2",
        (
            "loop/gate/test_proxied.py::test_a_trusted_proxy_names_its_client",
            "loop/gate/test_proxied.py::test_the_last_address_that_is_no_proxy_is_the_client",
            "loop/gate/test_proxied.py::test_wrong_tokens_count_for_the_real_client",
        ),
    ),
    Rule(1, "(`starting`, `draining`, `full`, `browser`)", load("a_client_waits_until_another_has_left")),
    Rule(
        1,
        "`/mcp`: the tools for models over MCP, with the token's own grant",
        ("browser/mcp/test_http.py::test_the_official_client_does_a_task",),
    ),
    Rule(
        1,
        "Only here may a request have a body, of 4 MiB and 20,000 brackets and commas, "
        "and an `Origin` be the server's own.",
        mount("each_refusal_has_its_status a_body_arrives_whole_and_ends_the_connection"),
    ),
    Rule(
        1,
        "Other paths: 404; a plain GET on `/`: 426 with a one-line explanation.",
        http("a_path_without_a_route_gets_its_status_and_one_line"),
    ),
    Rule(1, "WebSocket on any path.", gate("a_websocket_is_served_on_any_path")),
    Rule(
        1, "query `token` or header `X-AGENT-Token` [seed]; `X-BAP-Token` and", auth("only_the_right_token_is_admitted")
    ),
    Rule(
        1,
        "a connection without a valid one is refused in the handshake (HTTP 401)",
        auth("only_the_right_token_is_admitted"),
    ),
    Rule(1, "Text frames only (binary → close 1003).", socket("a_broken_rule_closes_with_its_code")),
    Rule(1, "Largest message 10 MB (10,485,760 bytes", floods("ten_mebibytes_pass_and_one_byte_more_does_not")),
    Rule(1, "`AGENT_MAX_MESSAGE_SIZE` sets it", settings("the_names_of_a_setting")),
    Rule(1, "close 1009 as soon as its declared length is known", socket("a_broken_rule_closes_with_its_code")),
    Rule(1, "memory stays bounded", floods("a_stream_of_400_mib_is_not_kept messages_are_not_kept_once_they_are_read")),
    Rule(1, "three missed pongs drop the peer", disconnects("a_silent_peer_is_dropped_after_three_pings")),
    Rule(1, "must survive pauses of 60 s", disconnects("a_pause_of_a_minute_is_survived")),
    Rule(1, "1001 (shutdown)", connection("draining_answers_everything_and_closes")),
    Rule(1, "1008 (policy: floods)", socket("a_broken_rule_closes_with_its_code")),
    Rule(
        1,
        "4001 (replaced by a newer connection of the same session)",
        sessions("a_second_connection_takes_over") + resumed_sessions("a_new_socket_takes_over_from_an_old_one"),
    ),
    Rule(
        1,
        "Two different tokens in one request are refused too.",
        auth("a_token_that_is_none_of_them_or_two_of_them_is_refused"),
    ),
    Rule(
        1,
        "After ten wrong tokens in a minute, further wrong ones of that address get 429",
        auth("ten_wrong_tokens_a_minute") + gate("further_wrong_tokens_wait_for_their_answer_and_a_right_one_does_not"),
    ),
    Rule(1, "A right token always passes.", auth("a_right_token_passes_after_any_number_of_wrong_ones")),
    Rule(
        1,
        "A token has at least 16 characters.",
        auth("a_short_token_is_no_token a_short_token_of_the_file_admits_nobody"),
    ),
    Rule(1, "marks as caused by a web page (`Sec-Fetch-Site`)", gate("a_request_that_a_web_page_has_caused")),
    Rule(1, "or all connections of the token are in use", gate("a_token_has_so_many_connections")),
    Rule(
        1,
        "Where a token is configured, it needs one, of any scope.",
        metrics("figures_are_for_those_who_might_connect"),
    ),
    Rule(1, "A request with an `Origin` header is refused (403)", gate("only_allowed_origins_are_answered")),
    Rule(
        1,
        "one whose `Host` is not loopback or the address of `--host` with the server's port",
        gate("only_allowed_hosts_are_answered the_address_that_the_operator_named_is_a_host"),
    ),
    Rule(
        1,
        "reads at most 64 unanswered requests of a connection",
        connection(
            "at_most_so_many_requests_are_in_flight a_client_with_all_its_requests_in_flight_can_still_cancel_one "
            "large_requests_run_few_at_a_time requests_of_a_page_wait_while_their_replies_find_no_reader"
        ),
    ),
    Rule(
        1,
        "A client that leaves the server's bytes unread is dropped",
        floods(
            "a_client_that_never_reads_is_dropped "
            "a_client_that_never_reads_is_dropped_when_its_answer_fits_into_the_send_buffer"
        ),
    ),
    Rule(
        1,
        "the answer is HTTP, with one line that says why",
        gate(
            "a_bad_handshake_is_refused_and_hurts_nobody only_allowed_hosts_are_answered "
            "only_allowed_origins_are_answered slow_heads_are_cut_off "
            "a_connection_beyond_the_limit_is_refused_until_another_leaves"
        )
        + auth("ten_wrong_tokens_a_minute"),
    ),
    Rule(2, "echoed unchanged", connection("a_request_is_answered_under_its_id") + wire("a_request_survives_the_wire")),
    Rule(2, "`result` is always there", contract("the_handshake_is_true_and_optional")),
    Rule(2, "Error `{jsonrpc, id, error}`", wire("an_error_reply_survives_the_wire_as_its_class")),
    Rule(
        2,
        "Several requests may be in flight; no order is promised between independent ones",
        connection("requests_on_two_pages_and_free_ones_do_not_wait") + lanes("pages_do_not_wait_for_each_other"),
    ),
    Rule(
        2,
        "Requests that act on the *same page* run in arrival order",
        connection("requests_on_one_page_run_in_the_order_of_arrival")
        + pages("pipelined_requests_happen_in_order_from_the_first_page_on"),
    ),
    Rule(
        2,
        "Not JSON: -32700 with id null, the connection stays.",
        wire("invalid_json_is_a_parse_error_without_an_id")
        + connection("what_is_wrong_is_said_and_the_connection_lives_on"),
    ),
    Rule(
        2,
        "Not a request (no method, wrong `jsonrpc`, wrong id type, batch array",
        wire("an_invalid_request_keeps_its_readable_id"),
    ),
    Rule(2, "duplicate in-flight id): -32600", connection("an_id_in_flight_can_not_be_used_again")),
    Rule(2, "Duplicate object keys at top level", wire("a_duplicate_key_is_detected_at_any_position")),
    Rule(2, "nesting deeper than 64: -32600", wire("nesting_is_bounded")),
    Rule(
        2,
        "Unknown method -32601, with the `nearest` known one",
        contract("bad_input_gets_its_typed_error_and_the_connection_lives_on")
        + connection("an_unknown_method_is_refused_with_the_nearest_known_one"),
    ),
    Rule(
        2,
        "Params that do not fit: -32602 with `details: {path, expected, got}` in wire names.",
        connection("a_fault_in_the_params_names_the_field_and_what_it_takes") + codec("an_invalid_value_is_named"),
    ),
    Rule(
        2,
        "Malformed ones are ignored, and so is all else in `_meta`.",
        tests_of("pure/protocol/test_request_meta.py")("only_metadata_that_is_no_object_is_refused")
        + tests_of("browser/server/test_telemetry.py")(
            "malformed_parents_are_ignored_and_malformed_metadata_is_refused"
        ),
    ),
    Rule(
        2,
        "`null` for an optional parameter means absent.",
        connection("null_is_absent") + codec("null_for_an_optional_field_is_its_default"),
    ),
    Rule(
        2,
        "**Unknown parameters** are refused (-32602), at every level … the path of the most similar one",
        connection("an_unknown_param_is_refused_with_the_nearest_known_one")
        + connection("unknown_params_of_a_bap_client_are_ignored")
        + codec("an_unknown_field_is_refused_with_the_nearest_one results_may_have_unknown_fields")
        + contract("bad_input_gets_its_typed_error_and_the_connection_lives_on")
        + codec("a_strict_class_rejects_unknown_fields"),
    ),
    Rule(
        2,
        "Any request may hold `params.idempotencyKey` … gets the answer of the first request and does not act",
        idempotency("a_repeat_gets_the_result_and_does_not_act a_key_is_for_one_request_only a_key_is_a_short_string")
        + idempotency("a_repeat_waits_for_the_one_that_is_under_way after_an_error_that_may_pass_the_repeat_runs")
        + idempotency("an_error_that_lasts_is_remembered_with_all_it_says the_oldest_are_forgotten_first")
        + idempotency("what_the_client_has_cancelled_it_may_ask_for_again the_session_remembers_beyond_the_connection")
        + act("a_repeat_under_the_same_key_clicks_no_more"),
    ),
    Rule(
        2,
        "unless the request may have acted",
        idempotency(
            "what_may_have_acted_is_not_done_again_when_its_time_was_over what_only_looks_or_never_began_is_done_again"
        ),
    ),
    Rule(2, "and a repeat gets -32024", idempotency("a_result_that_is_too_large_is_not_kept_but_not_made_again")),
    Rule(2, "Twenty invalid messages in a row close", connection("a_run_of_nonsense_ends_the_connection")),
    Rule(
        2,
        "a lone surrogate of a page becomes U+FFFD, in results, errors, events and streams",
        wire("no_lone_surrogate_reaches_the_wire")
        + events("lone_surrogates_of_a_page_are_replaced_everywhere")
        + streams("a_lone_surrogate_is_replaced_as_in_any_reply"),
    ),
    Rule(2, "A notification from a client gets no answer, ever.", connection("notifications_are_never_answered")),
    Rule(
        2,
        "it ends with -32051 (`Cancelled`); the work in the browser really stops",
        connection("a_cancelled_request_stops_and_says_so")
        + pages("a_cancelled_navigation_stops_and_the_page_works_at_once")
        + actions("a_cancelled_action_has_no_later_effect"),
    ),
    Rule(
        2,
        "One that still waits for others does not begin.",
        connection("a_request_that_waits_for_others_in_flight_is_cancelled_before_it_begins"),
    ),
    Rule(
        3,
        "`error = {code, message, data?}`, `data = {retryable, retryAfterMs?",
        errors("codes_match_the_table_of_the_protocol"),
    ),
    Rule(3, "`message` is one plain sentence (no call logs", faults("colours_and_halves_of_characters_do_not_pass")),
    Rule(3, "InternalError", connection("a_bug_is_an_incident_that_tells_the_client_nothing_else")),
    Rule(
        3,
        "ServerBusy (rate, queue, draining)",
        connection("at_most_so_many_requests_are_in_flight")
        + admission("a_client_that_has_waited_long_enough_is_told_to_come_again the_queue_is_bounded"),
    ),
    Rule(
        4,
        "`notifications/queued {position, id?}` reports its place",
        admission("a_client_hears_that_it_waits_and_then_its_answer those_who_wait_are_let_in_in_their_order")
        + admission("a_wait_ends_with_the_requests_own_deadline"),
    ),
    Rule(3, "NotInitialized (only after `shutdown`)", contract("the_handshake_is_true_and_optional")),
    Rule(3, "AlreadyInitialized", contract("the_handshake_is_true_and_optional")),
    Rule(
        3,
        "ScopeDenied … method, required, granted",
        connection("a_method_above_the_scope_is_denied_before_its_params_are_read"),
    ),
    Rule(
        3,
        "BrowserNotLaunched (lost and not back yet)",
        fault_browser("a_driver_that_dies_again_and_again_is_left_alone_until_somebody_asks")
        + engine_life("browser_that_dies_is_reported_and_replaced"),
    ),
    Rule(3, "PageNotFound", act("a_page_that_is_not_there")),
    Rule(3, "ElementNotFound [seed] | yes [seed] | 500", actions("a_missing_element_is_not_a_timeout")),
    Rule(
        3,
        "ElementNotVisible (hidden, or covered: `coveredBy` with its selector and ref)",
        actions("a_hidden_element a_covered_element_names_its_cover"),
    ),
    Rule(3, "ElementNotEnabled", actions("a_disabled_element")),
    Rule(
        3,
        "NavigationFailed",
        faults("a_failed_load_has_its_reason_and_url") + pages("a_failed_load_is_reported_and_the_next_one_works"),
    ),
    Rule(
        3,
        "Timeout [seed] | yes [seed] | | timeout, method",
        pages("a_silent_server_ends_in_timeout_and_the_page_works_at_once"),
    ),
    Rule(
        3,
        "TargetClosed (page, context or browser went away)",
        real_faults("page_that_is_closed context_that_is_closed"),
    ),
    Rule(3, "ExecutionContextDestroyed", real_faults("document_that_goes_away_under_a_script")),
    Rule(
        3,
        "ElementChanged (the ref's element is no longer what was observed)",
        refs("a_changed_element_is_not_acted_on a_recycled_row_is_detected"),
    ),
    Rule(
        3,
        "SelectorAmbiguous | no | | selector, count, candidates (≤ 5)",
        faults("ambiguous_selector_names_five_candidates"),
    ),
    Rule(3, "ActionFailed", real_faults("action_that_does_not_suit_the_element")),
    Rule(3, "ContextNotFound", storage("the_context_is_the_one_named_or_that_of_the_page")),
    Rule(
        3, "ResourceLimitExceeded", pages("the_number_of_pages_is_limited") + contexts("the_limit_counts_every_context")
    ),
    Rule(3, "ApprovalDenied", approvals("a_denied_request_says_why")),
    Rule(3, "ApprovalTimeout", approvals("a_request_that_nobody_answers_ends_when_the_rule_says")),
    Rule(3, "ApprovalRequired", approvals("without_anybody_to_ask_the_request_fails_at_once")),
    Rule(3, "FrameNotFound", frames("a_frame_that_is_gone_is_reported")),
    Rule(3, "DomainNotAllowed", policy("a_host_outside_the_allowlist_has_its_own_error")),
    Rule(3, "StreamNotFound", streams("a_stream_that_is_not_there_is_not_found")),
    Rule(3, "Cancelled", connection("a_cancelled_request_stops_and_says_so")),
    Rule(
        3,
        "A refused URL other than by the allowlist is -32602 with `details.reason`",
        policy("a_refusal_has_path_reason_and_hint"),
    ),
    Rule(3, "carries a `recoveryHint` that fits the cause", errors("every_error_that_an_agent_can_fix_has_a_hint")),
    Rule(4, "The handshake is optional", contract("the_seeds_messages_are_enough the_handshake_is_true_and_optional")),
    Rule(4, "`initialize", contract("the_handshake_is_true_and_optional"), names=("initialize",)),
    Rule(4, "What is announced is true.", contract("the_handshake_is_true_and_optional")),
    Rule(4, "Second call -32002.", contract("the_handshake_is_true_and_optional")),
    Rule(
        4,
        "`shutdown {saveState?, closePages?}` → `{}`: ends the session; the socket stays, `initialize` may follow.",
        contract("the_handshake_is_true_and_optional") + streams("shutdown_ends_the_agreement"),
    ),
    Rule(
        4,
        "finds its pages, refs, subscriptions and contexts again when it initializes with the same id",
        sessions("a_client_that_is_back_has_what_it_had")
        + resumed_sessions("a_client_finds_its_browser_as_it_left_it events_of_the_time_away_are_heard"),
    ),
    Rule(
        4,
        "the same token and the `sessionSecret` that the first answer held",
        sessions(
            "a_session_is_given_to_nobody_else "
            "without_the_secret_or_the_token_the_id_names_another_session "
            "a_client_that_knows_no_secrets_comes_back_by_its_token"
        ),
    ),
    Rule(
        4,
        "Parked for 300 s, then closed.",
        sessions("a_session_waits_so_long_and_no_longer too_many_are_not_parked"),
    ),
    Rule(
        4,
        "A second live connection with the id takes over; the first is closed with 4001",
        sessions(
            "a_second_connection_takes_over of_two_that_come_back_at_once_one_has_the_session "
            "one_that_is_back_before_its_loss_is_noticed"
        ),
    ),
    Rule(4, "Session ids: 1 to 128 of `[A-Za-z0-9._-]`", sessions("what_no_session_is_called")),
    Rule(
        4,
        "scope}, sessionId?, sessionSecret?, restored?, missed?}`.",
        cold_sessions(
            "a_session_outlives_the_server "
            "a_browser_that_dies_leaves_its_pages_to_the_next the_pages_of_a_parked_session_come_back_too"
        )
        + cut_off("a_script_survives_a_killed_server")
        + session_store("a_session_is_found_again_in_the_store")
        + session_attacks("who_was_away_when_its_browser_died_is_told"),
    ),
    Rule(
        4,
        "what a key protects is neither done twice nor lost with the connection",
        sessions("what_has_a_key_goes_on_and_is_answered_later what_is_in_flight_stops_when_its_connection_is_lost")
        + resumed_sessions("a_click_is_neither_done_twice_nor_after_its_loss"),
    ),
    Rule(4, "With `closePages: false`", sessions("shutdown_may_leave_the_pages_open")),
    Rule(4, "`saveState: true` needs an id", cold_sessions("a_session_that_was_shut_down_is_kept_only_on_request")),
    Rule(
        4,
        "While an approver decides, the clock stands still.",
        approvals("the_clock_of_a_request_stands_still_meanwhile"),
    ),
    Rule(
        4,
        "An id with a secret that names no session: -32602. An id without one",
        sessions("a_session_is_given_to_nobody_else without_the_secret_or_the_token_the_id_names_another_session"),
    ),
    Rule(
        4,
        "carry `seq`, which counts from 1. With `lastEvent`, the server replays the events after that one",
        sessions("events_have_numbers_and_come_again who_names_no_event_is_sent_what_came_while_it_was_away"),
    ),
    Rule(4, "`missed` counts the ones that are lost", sessions("more_events_than_are_kept_are_said_to_be_missed")),
    Rule(
        4,
        "Pages that a connection opened before `initialize` belong to the new session.",
        sessions(
            "what_came_before_initialize_belongs_to_the_new_session what_comes_after_initialize_means_the_old_session"
        ),
    ),
    Rule(
        4,
        "its pages are opened again under the same ids and reported as `created`",
        cold_sessions("a_browser_that_dies_leaves_its_pages_to_the_next the_pages_of_a_parked_session_come_back_too"),
    ),
    Rule(
        4,
        "When another node claims it, the node before closes its connection with 4001",
        fleet_nodes(
            "a_client_that_returns_to_another_node_brings_its_session"
            " a_suspended_node_loses_its_sessions_to_the_one_that_claimed_them"
        ),
    ),
    Rule(
        4,
        "At a shutdown each session is saved before its connection is closed with 1001.",
        fleet_nodes("a_session_is_saved_before_its_connection_is_closed_with_1001"),
    ),
    Rule(
        4,
        "While the store of sessions fails, sessions go on, and their saves are repeated.",
        fleet_nodes(
            "a_store_that_fails_stops_no_session_and_loses_none"
            " a_session_that_ended_while_the_store_was_down_is_saved_later"
        ),
    ),
    Rule(
        4,
        "At most three sessions are restored at once. A failed restore never replaces the saved state.",
        fleet_nodes(
            "three_sessions_are_restored_at_once_and_a_queued_one_keeps_its_snapshot"
            " a_failed_restore_leaves_the_session_to_the_next_node"
        ),
    ),
    Rule(
        4,
        "with a shared store (`--state-url`) it moves between nodes",
        ("browser/sessions/test_fleet.py::test_sessions_survive_a_killed_node_and_a_rolling_restart",),
    ),
    Rule(4, "(`--state-dir`) a session also outlives the server", cold_sessions("a_session_outlives_the_server")),
    Rule(4, "Request deadline 30 s by default", connection("a_request_ends_in_timeout_at_its_deadline")),
    Rule(
        4,
        "`timeout` in params or options shortens or lengthens it, at most `limits.maxTimeout`",
        connection("a_request_may_set_its_own_deadline"),
    ),
    Rule(
        4,
        "On expiry: -32016, the browser work is stopped, the page stays usable.",
        pages("a_silent_server_ends_in_timeout_and_the_page_works_at_once")
        + script("a_script_without_end_is_ended_at_its_deadline"),
    ),
    Rule(
        4,
        "Events are sent as `notifications/<kind>` … they are sent as `event/<kind>` instead",
        notifications("bap_clients_get_each_event_once_in_their_dialect"),
    ),
    Rule(4, "held to receive at most 4 MiB a frame", streams("the_published_clients_are_held_to_take_4_mib")),
    Rule(
        4,
        "`ref` selectors are accepted with `value` [seed] or `ref`",
        codec("a_ref_may_be_given_under_its_second_name"),
    ),
    Rule(
        4,
        "in results of the published clients they have both",
        published("the_published_clients_get_the_shapes_that_they_declare"),
    ),
    Rule(
        4,
        "The one for TypeScript gets `observe/accessibility` with one node as `tree`, and no `timing`;",
        published("the_published_clients_get_the_shapes_that_they_declare"),
    ),
    Rule(
        4,
        "where a navigation fetched nothing, `status` 0 and empty `headers`",
        published(
            "the_published_client_for_typescript_gets_status_and_headers_of_a_navigation_without_a_response",
        ),
    ),
    Rule(
        4,
        "The `resourceType` of their network events is one that they declare, or `other`",
        published("the_published_clients_get_the_resource_types_that_they_declare"),
    ),
    Rule(
        4,
        "in their console events the `level` is",
        published("the_published_clients_get_their_levels_of_console_messages"),
    ),
    Rule(
        4,
        "Of page events it gets those of the types that it declares",
        published("the_published_client_for_typescript_gets_the_page_events_that_it_declares"),
    ),
    Rule(5, "`readonly` < `standard` < `full` < `privileged`", scopes("each_method_has_the_scope_of_the_table")),
    Rule(
        5,
        "without tokens the server's `--scope` (default `standard`)",
        auth("the_token_grants_the_configured_scope without_a_token_all_come_in_as_standard_at_most"),
    ),
    Rule(5, "Each token carries a scope", auth("each_token_of_the_file_grants_what_it_says")),
    Rule(5, "| scope | adds |", scopes("each_method_has_the_scope_of_the_table")),
    Rule(
        5,
        "`agent/act` needs the scope of each of its steps, all checked before the first runs. Denied: -32003, as the",
        act("a_refused_step_is_a_step_error a_step_at_a_refused_url_is_a_step_error"),
    ),
    Rule(
        5,
        "`page/create` with `storageState` or `permissions` needs `full`",
        scope_matrix("a_page_gets_nothing_for_its_context_below_the_scope_for_that"),
    ),
    Rule(
        5,
        "while a request of its own waits that its rule lets it decide",
        approvals("the_requester_decides_where_the_rule_lets_it nobody_approves_its_own_request"),
    ),
    Rule(
        6,
        "page/navigate, page/create, storage/setState validate",
        connection("urls_pass_the_policy_before_any_browser_work")
        + url_checks("no_method_takes_a_state_unjudged")
        + storage("cookies_and_storage_of_private_hosts_are_refused_where_the_operator_denies_them"),
    ),
    Rule(
        6,
        "javascript: and cloud metadata are blocked",
        contract("bad_input_gets_its_typed_error_and_the_connection_lives_on")
        + policy("metadata_hosts_are_refused_in_every_spelling every_other_scheme_is_refused"),
    ),
    Rule(6, "-32041", policy("a_host_outside_the_allowlist_has_its_own_error")),
    Rule(6, "Only `http`, `https` and exactly `about:blank` are navigable.", policy("every_other_scheme_is_refused")),
    Rule(6, "A URL with a user name or password is refused", policy("anything_but_a_plain_absolute_url_is_refused")),
    Rule(
        6,
        "`allow`, `ask-first` (opened by the client's own navigation) or `deny`",
        wall("private_space_is_closed_until_the_client_goes_there")
        + wall("a_private_network_is_open_only_to_the_client_that_navigated_there"),
    ),
    Rule(
        6,
        "Cookies and web storage of private hosts may be set and read before that",
        url_checks("only_requests_of_private_hosts_need_an_open_private_network")
        + storage("cookies_and_storage_of_private_hosts_can_be_set_before_the_first_navigation"),
    ),
    Rule(
        6,
        "A page that leaves for a forbidden host stays where it is.",
        wall("a_click_that_navigates_to_a_refused_url_is_reported a_page_s_own_attempts_fail_no_action")
        + wall("a_page_that_redirects_while_it_loads_is_reported_and_stays"),
    ),
    Rule(6, "`--allowed-domains a.com,*.b.org`", policy("an_entry_matches_whole_labels_only")),
    Rule(
        6,
        "restricts everything the browser does, not only the URL in a request",
        wall("no_way_leads_past_the_wall without_the_wall_every_way_leads_there"),
    ),
)
