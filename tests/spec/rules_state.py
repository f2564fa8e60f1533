"""Sections 14 to 16: storage, network, script, emulation, dialogs, traces; events, streams, approvals; SDKs."""

from typing import Final

from tests.spec.rule import Rule, tests_of

approvals = tests_of("loop/corridor/test_approvals.py")
approval_rules = tests_of("pure/policy/test_approval_rules.py")
approvals_e2e = tests_of("browser/clients/test_approvals.py")
client = tests_of("loop/client/test_client.py")
reconnect = tests_of("loop/client/test_reconnect.py")
databases = tests_of("browser/page/test_databases.py")
dialogs = tests_of("browser/page/test_dialogs.py")
downloads = tests_of("browser/page/test_downloads.py")
emulate = tests_of("browser/page/test_emulation.py")
events = tests_of("browser/events/test_events.py")
intercept = tests_of("browser/page/test_intercept.py")
live_access = tests_of("browser/live/test_access.py")
live_takeover = tests_of("browser/live/test_takeover.py")
live_watch = tests_of("browser/live/test_watch.py")
mcp_http = tests_of("browser/mcp/test_http.py")
outbox = tests_of("loop/corridor/test_outbox.py")
pages = tests_of("browser/page/test_pages.py")
redaction = tests_of("pure/policy/test_redaction.py")
schema = tests_of("pure/protocol/test_jsonschema.py")
script = tests_of("browser/page/test_scripts.py")
storage = tests_of("browser/page/test_storage.py")
streams = tests_of("loop/corridor/test_streams.py")
subscriptions = tests_of("pure/policy/test_subscriptions.py")
notifications = tests_of("loop/corridor/test_notifications.py")
messages = tests_of("pure/protocol/test_messages.py")
typescript = tests_of("pure/protocol/test_typescript.py")
node = tests_of("browser/clients/test_typescript.py")("the_clients_own_tests_pass")
reconnect_in_node = tests_of("browser/clients/test_typescript_reconnect.py")
trace = tests_of("browser/page/test_tracing.py")
journal = tests_of("pure/recorder/test_journal.py")
recording_masks = tests_of("pure/recorder/test_masks.py")
recording = tests_of("browser/recorder/test_recording.py")
network_events = tests_of("browser/events/test_network_events.py")

STATE: Final = (
    Rule(14, "`storage/getState {contextId?", storage("the_state_that_is_read_is_that_of_every_origin")),
    Rule(14, "Playwright's states, which are accepted too", databases("states_are_exchanged_with_playwright")),
    Rule(14, "`unsaved` names the databases", databases("a_database_that_no_state_can_hold_is_named")),
    Rule(14, "and all else is set", databases("a_database_that_the_browser_refuses_is_an_error_that_names_it")),
    Rule(
        14,
        "all validated before anything is touched",
        storage("one_bad_cookie_keeps_all_from_being_set one_bad_origin_keeps_all_from_being_set"),
    ),
    Rule(14, "It replaces all that the context keeps", storage("setting_a_state_replaces_the_one_before")),
    Rule(14, "At most 1,000 cookies, 100 origins", storage("too_many_are_refused")),
    Rule(14, "without `urls` all cookies, with `urls: []` none", storage("cookies_are_read_and_cleared_by_url")),
    Rule(
        14,
        "A partitioned cookie keeps its `partitionKey`",
        storage("a_state_can_be_carried_over a_partitioned_cookie_is_for_its_own_site_or_for_what_is_embedded_there"),
    ),
    Rule(14, "The newest rule decides.", intercept("the_newest_rule_decides_and_cleared_rules_end")),
    Rule(
        14, "At most 20 files of 100 MiB", downloads("too_many_files_are_refused a_file_that_is_too_large_is_not_kept")
    ),
    Rule(14, "At most 50 MiB", trace("a_large_recording_is_discarded")),
    Rule(
        14,
        "`setState {state}`: … applied without visiting the origins",
        storage("pages_find_the_state_that_was_set a_state_can_be_carried_over"),
        names=("storage/setState",),
    ),
    Rule(14, "`getCookies {urls?}`", storage("cookies_are_read_and_cleared_by_url"), names=("storage/getCookies",)),
    Rule(14, "`setCookies {cookies}`", storage("cookies_are_read_as_they_were_set"), names=("storage/setCookies",)),
    Rule(14, "`clearCookies {urls?}`", storage("cookies_are_read_and_cleared_by_url"), names=("storage/clearCookies",)),
    Rule(
        14,
        "`network/intercept {patterns",
        intercept("aborted_requests_never_reach_the_server only_requests_that_match_the_pattern_are_aborted"),
    ),
    Rule(14, "`network/fulfill {requestId", intercept("the_event_of_a_paused_request_is_redacted_and_answered")),
    Rule(14, "`network/abort {requestId", intercept("the_client_stops_a_request")),
    Rule(14, "`network/continue {requestId", intercept("the_client_changes_a_request")),
    Rule(14, "unanswered within 10 s: continued", intercept("a_paused_request_continues_after_the_timeout")),
    Rule(14, "`network/clear {interceptId?}`", intercept("the_newest_rule_decides_and_cleared_rules_end")),
    Rule(
        14,
        "`script/evaluate {expression, arg?, awaitPromise?, world?: isolated|main, asText?}` → `{value}`",
        script("values_are_returned_as_json isolated_and_main_world a_promise_need_not_be_awaited"),
    ),
    Rule(
        14,
        "bounded in time and in size (8 MB measured in the page)",
        script("a_script_without_end_is_ended_at_its_deadline a_value_is_measured_in_the_page"),
    ),
    Rule(
        14,
        "In the main world, JSON is that of before the page's scripts",
        script("page_does_not_spoil_results_of_its_main_world value_without_json_is_refused_in_the_main_world"),
    ),
    Rule(14, "`emulate/setViewport {width", emulate("a_size_applies_to_one_page a_phone_and_back")),
    Rule(
        14,
        "`setUserAgent {userAgent, …(HTTP header and navigator, at once)",
        emulate("a_user_agent_applies_to_a_context_at_once_and_to_pages_to_come"),
        names=("emulate/setUserAgent",),
    ),
    Rule(
        14,
        "`setGeolocation {latitude, longitude, accuracy?}` (permission granted)",
        emulate("geolocation_is_reported_to_every_site"),
        names=("emulate/setGeolocation",),
    ),
    Rule(14, "`setOffline {offline}`", emulate("offline_and_back"), names=("emulate/setOffline",)),
    Rule(
        14,
        "`dialog/handle {action: accept|dismiss|disarm, promptText?, arm?}`: answers the open dialog",
        dialogs("a_click_returns_with_the_dialog_it_opened_and_the_client_answers_it"),
    ),
    Rule(
        14,
        "A popup without a document of its own, or with one of its opener's origin, shares its opener's thread: its "
        "dialog blocks both",
        dialogs("a_dialog_of_a_new_popup_waits_for_the_client")
        + dialogs("an_opener_that_its_popup_blocks_shows_the_dialog_and_can_answer_it")
        + dialogs("a_dialog_of_a_popup_without_a_document_is_its_openers")
        + dialogs("an_opener_shows_the_dialog_of_a_popup_of_its_origin"),
    ),
    Rule(
        14,
        "with none open, arms an answer",
        dialogs("an_answer_is_armed_for_the_next_dialog_and_no_further")
        + dialogs("an_answer_is_armed_only_where_that_is_wanted_and_can_be_taken_back"),
    ),
    Rule(
        14,
        "The first answer after a dialog that nobody answered in time fails",
        dialogs("an_answer_that_comes_too_late_is_not_armed_for_another_dialog"),
    ),
    Rule(
        15,
        "`dialogTimeout`: milliseconds for which dialogs stay open",
        dialogs("a_client_may_ask_for_more_time_to_answer"),
    ),
    Rule(
        14,
        "A dialog nobody answers within 5 s (`--dialog-timeout`) is dismissed",
        dialogs("an_unanswered_dialog_is_dismissed_and_waiting_requests_continue")
        + dialogs("a_dialog_is_dismissed_at_once_without_a_subscription"),
    ),
    Rule(14, "(beforeunload accepted)", dialogs("leaving_waits_for_the_client_until_the_timeout")),
    Rule(14, "after its event went out", dialogs("the_event_comes_before_the_result")),
    Rule(
        14,
        "an open dialog shows in `page/list`, in observations and in the result of the action that caused it",
        dialogs("an_open_dialog_shows_in_the_list_and_in_observations")
        + dialogs("a_click_returns_with_the_dialog_it_opened_and_the_client_answers_it"),
    ),
    Rule(
        14,
        "`trace/start {name?, screenshots?, snapshots?, sources?}`, `trace/stop` → `{data: base64 zip}` or a stream.",
        trace("a_recording_holds_what_happened parts_that_were_not_requested_are_left_out"),
    ),
    Rule(
        14,
        "In memory it holds at most 20 MiB of the last 10 minutes; the oldest entries leave first.",
        journal(
            "the_oldest_entries_leave_when_there_are_too_many_bytes entries_leave_when_they_are_too_old"
            " an_entry_larger_than_the_journal_removes_no_other"
        ),
    ),
    Rule(
        14,
        "Typed text is recorded only where the page reports the field's value, which it never does for"
        " password-like fields.",
        recording_masks(
            "text_is_recorded_where_the_page_reports_the_value_of_the_field"
            " text_is_masked_where_the_page_reports_no_value"
        )
        + recording("an_export_holds_what_happened_and_no_password"),
    ),
    Rule(
        14,
        "State, files, bodies and values of scripts are left out",
        recording_masks("state_files_and_named_secrets_are_left_out results_with_state_or_files_are_not_recorded")
        + tests_of("browser/security/test_canaries.py")("no_recording_contains_a_secret"),
    ),
    Rule(
        14,
        "A picture that would show a secret is not taken.",
        recording("no_picture_is_taken_while_a_secret_field_shows_its_value"),
    ),
    Rule(
        14,
        "It has cookies, storage with IndexedDB, URL, scroll position and form values; values of password-like fields"
        " are not copied.",
        tests_of("browser/recorder/test_fork.py")(
            "a_copy_has_the_state_of_the_page_and_goes_its_own_way a_copy_that_can_not_be_loaded_leaves_nothing"
        ),
        names=("session/fork",),
    ),
    Rule(
        14,
        "`recording/list` → `{recordings[]}`: this session's (`current`), and the last eight of the same token that"
        " ended in the last 10 minutes.",
        recording("recordings_of_ended_sessions_are_those_of_the_token")
        + journal("an_owner_reaches_its_own_recordings_only ended_recordings_are_few_and_leave_after_a_while"),
    ),
    Rule(
        14,
        "`recording/stop {recordingId?, discard?}` ends it for this session; `discard` also forgets what was recorded.",
        recording("a_stopped_recording_can_be_forgotten"),
        names=("recording/get",),
    ),
    Rule(
        14,
        "`recording/export {recordingId?, includeTrace?}` → `{id, data: base64 zip, size}` or a stream",
        recording(
            "an_export_holds_what_happened_and_no_password an_export_takes_a_trace_that_is_being_recorded"
            " the_viewer_opens_from_disk a_server_without_recorder_says_so"
        )
        + tests_of("pure/recorder/test_archive.py")("the_har_has_what_the_standard_demands"),
    ),
    Rule(
        3,
        "While the session is recorded, `details.recording` has the `id` of the recording and the `time` of the error",
        recording("an_error_names_the_recording_and_the_time"),
    ),
    Rule(
        14,
        "`download/list` → `{downloads[]}`, in the shape of `notifications/download`; `download/read {downloadId",
        downloads("a_download_is_reported_stored_and_read an_unknown_download_can_not_be_read a_part_is_within_bounds"),
    ),
    Rule(
        15,
        "`events/subscribe {events[] of page console network dialog download frame; filter?, dialogTimeout?}`",
        notifications("only_what_is_subscribed_to_is_told") + events("only_events_that_match_the_filter_are_reported"),
    ),
    Rule(
        15,
        "`events/unsubscribe`",
        events("unsubscribed_kinds_are_not_reported") + subscriptions("kinds_are_added_and_removed"),
    ),
    Rule(
        15,
        "Without a subscription and without `initialize.capabilities.events`: console and dialog.",
        subscriptions("console_and_dialogs_are_subscribed_by_default")
        + notifications("what_is_asked_at_the_start_takes_the_place_of_the_default"),
    ),
    Rule(
        15,
        "an event is sent if it fits all of them",
        subscriptions("an_event_must_match_every_field_of_the_filter the_last_filter_applies_to_its_kinds_only"),
    ),
    Rule(15, "Unknown names -32602.", events("an_invalid_subscription_is_refused")),
    Rule(15, "`notifications/console {pageId", events("console_messages_have_levels_and_places")),
    Rule(15, "(uncaught errors too: type `error`)", events("an_uncaught_error_is_reported_with_its_type_and_stack")),
    Rule(
        15,
        "Format strings (`%s`, `%d`, `%o`, `%c` and so on) are filled in as a browser does.",
        events("format_strings_of_console_messages_are_filled_in"),
    ),
    Rule(
        15,
        "`notifications/network {type: request|response|failed|intercepted, requestId (one for all three)",
        network_events("request_and_response_have_one_id a_failed_request_has_a_reason_and_its_id"),
    ),
    Rule(
        15,
        "headers of the seed's list and all postData redacted to `[REDACTED]`",
        redaction("a_secret_header_keeps_its_name_only a_body_is_replaced_by_a_placeholder")
        + network_events("no_secret_is_in_an_event"),
    ),
    Rule(15, "`notifications/page {type", pages("page_events_are_reported_in_order")),
    Rule(15, "`notifications/dialog {pageId", dialogs("the_event_comes_before_the_result")),
    Rule(15, "`notifications/download {downloadId", downloads("a_download_is_reported_stored_and_read")),
    Rule(
        15,
        "`notifications/frame {type: attached|navigated|detached, pageId, frameId, url?, name?, timestamp}`",
        events("frame_events_have_the_ids_of_frame_list"),
    ),
    Rule(
        15,
        "`notifications/dropped {kind, count}`",
        outbox("a_notification_without_room_is_dropped_counted_and_told")
        + notifications("what_was_dropped_on_the_way_is_told"),
    ),
    Rule(15, "The first load of a created page is reported.", events("the_first_load_of_a_created_page_is_reported")),
    Rule(
        15,
        "is streamed to a client with `capabilities.streaming`",
        streams("a_large_text_follows_in_pieces_that_are_the_text"),
    ),
    Rule(
        15,
        "`stream/chunk {streamId, index, data, offset, size}` and `stream/end {streamId, totalChunks",
        streams("a_large_text_follows_in_pieces_that_are_the_text"),
    ),
    Rule(
        15,
        "`stream/cancel {streamId}` → `{cancelled}`",
        streams("a_cancelled_stream_ends_at_once_and_the_next_one_goes_on a_stream_that_is_not_there_is_not_found"),
    ),
    Rule(
        15,
        "To others: -32024 with the size and the limit.",
        streams("a_client_that_knows_no_streams_is_told_the_size_and_the_limit"),
    ),
    Rule(
        15,
        "Approvals (operator's rules: `name, match{actions, selectors, domains, url_patterns}",
        approval_rules(
            "action_patterns_match_method_names selector_patterns_match_any_selector_of_a_request "
            "domain_patterns_match_the_host_of_a_page url_patterns_match_whole_urls"
        )
        + approvals("the_first_rule_that_fits_decides"),
    ),
    Rule(
        15,
        "modes disabled|audit|required",
        approvals("auditing_logs_and_lets_pass disabled_rules_do_nothing"),
    ),
    Rule(
        15,
        "a matching request waits while `approval/required {requestId, originalRequest{method, params}, rule",
        approvals("a_request_waits_until_an_approver_agrees")
        + approvals_e2e("a_purchase_happens_only_once_it_is_approved"),
    ),
    Rule(
        15,
        "is asked about no request of others.",
        approvals("who_approves_for_nobody_else_is_not_asked") + mcp_http("tokens_tabs_and_approvals"),
    ),
    Rule(
        15,
        "(else to the requester when the rule allows it)",
        approvals("the_requester_decides_where_the_rule_lets_it nobody_approves_its_own_request"),
    ),
    Rule(
        15,
        "`approval/respond {requestId, decision: approve|deny|approve-once|approve-session",
        approvals("an_approval_holds_once_or_for_the_session a_denied_request_says_why"),
    ),
    Rule(
        15,
        "When the page went to another address while the approver decided: -32030, retryable.",
        approvals("a_page_that_goes_elsewhere_meanwhile_is_not_acted_on"),
    ),
    Rule(
        15,
        "So is a request whose element is gone then, or has another role or name than in `elementInfo`;",
        approvals("an_element_that_changes_meanwhile_is_not_acted_on"),
    ),
    Rule(
        15,
        "of a press without a selector, that is what has the focus.",
        approvals_e2e("a_key_goes_to_the_element_that_had_the_focus_when_the_approver_was_asked"),
    ),
    Rule(
        15,
        "what waits for an approver or in `handoff/request` gets -32000 at once",
        approvals_e2e("a_shutdown_waits_for_no_approver"),
    ),
    Rule(
        15,
        "A press that would be for another control in the element, of another name, is -32030",
        approvals_e2e("an_approver_is_shown_the_control_that_a_press_is_for"),
    ),
    Rule(
        15,
        "a press of several keys that are no modifiers",
        approvals_e2e("a_press_of_several_keys_is_not_approved"),
    ),
    Rule(
        15,
        "Its input comes to no other frame than that of the element",
        approvals_e2e("nothing_in_or_over_an_approved_element_gets_the_press"),
    ),
    Rule(
        15,
        "A rule that holds an action back holds back those that can have its effect",
        approval_rules("a_rule_that_holds_an_action_back_holds_back_those_with_its_effect"),
    ),
    Rule(
        15,
        "reads `[REDACTED]` in `originalRequest`, unless the rule shows it",
        approvals("a_request_waits_until_an_approver_agrees a_rule_may_show_values_and_the_page"),
    ),
    Rule(
        15,
        "Several fields of one result may be streamed.",
        streams("as_many_texts_are_streamed_as_must_be_the_largest_first"),
    ),
    Rule(
        15,
        "Replies and events go first … Each chunk of base64 can be decoded by itself.",
        streams(
            "other_replies_and_events_come_in_between_and_none_is_dropped "
            "bytes_are_called_so_and_each_piece_of_them_can_be_decoded"
        ),
    ),
    Rule(
        15,
        "persons watch sessions in a browser",
        live_watch("a_person_sees_the_click_of_an_agent_as_picture_and_log_line")
        + live_watch("the_element_of_a_request_is_outlined"),
    ),
    Rule(
        15,
        "`live/link {session?}` returns `{url}`: a link to the live view that is good for one use",
        live_access("tokens_links_and_origins_are_checked"),
        names=("live/link",),
    ),
    Rule(
        15,
        "Scope privileged; `standard` on a server without tokens, where the link gives no right to approve.",
        live_access("a_link_needs_the_scope_privileged")
        + live_access("without_tokens_a_link_is_for_watching_and_not_for_approving"),
    ),
    Rule(
        15,
        "Meanwhile every action on the page ends with -32034 `PageHeld` (details holder, since, reason)",
        live_takeover("a_takeover_interrupts_the_action_under_way")
        + live_takeover("an_agent_that_waits_goes_on_once_the_person_has_handed_back"),
    ),
    Rule(
        15,
        "The lease ends when the person hands back, does nothing for `--takeover-idle`, or leaves.",
        live_takeover("a_lease_ends_when_its_tab_is_closed_or_nobody_uses_it"),
    ),
    Rule(
        15,
        "files need the scope of `action/upload`, and where an approval rule in mode `required` stops anything, the "
        "page is not taken over",
        live_access("the_link_of_a_handoff_gives_its_agent_no_further_right"),
    ),
    Rule(
        15,
        "What a person types is never logged",
        live_access("no_secret_leaves_by_the_live_view_and_typing_is_not_kept"),
    ),
    Rule(
        15,
        "`handoff/request {reason, instructions, choices?, pageId?, until?: {url|text|selector}, timeout, wait, "
        "handoffId?, withdraw}`",
        live_takeover("an_agent_that_waits_goes_on_once_the_person_has_handed_back")
        + live_takeover("only_one_person_has_a_page_and_a_handoff_can_be_declined"),
        names=("handoff/request", "notifications/handoff"),
    ),
    Rule(
        15,
        'the condition holds (`done`, by "the condition"), the page is closed (`declined`), or the time is over',
        live_takeover("a_handoff_ends_with_its_time_or_its_page"),
    ),
    Rule(
        15,
        "the person can pick one instead (`done`), which the result holds as `answer`",
        live_takeover("a_person_picks_one_of_the_choices_of_a_handoff"),
    ),
    Rule(
        15,
        "`loggedIn` has the names of cookies that were added or changed, never a value.",
        live_takeover("a_handoff_ends_by_its_condition_and_names_changed_cookies"),
    ),
    Rule(
        15,
        'with `withdraw: true` ends the handoff (`declined`, by "the agent").',
        live_takeover("a_handoff_ends_with_its_time_or_its_page"),
    ),
    Rule(15, "No answer in time: -32031.", approvals("a_request_that_nobody_answers_ends_when_the_rule_says")),
    Rule(16, "Types as schemas in each SDK", schema("params_survive_the_wire_and_fit_their_schema")),
    Rule(
        16,
        "Python",
        client(
            "a_server_that_does_not_answer_is_connection_lost a_refused_token_is_reported "
            "an_exception_of_the_block_propagates_unchanged"
        ),
    ),
    Rule(16, "TypeScript and Python", node),
    Rule(
        16,
        "automatic reconnect, at most 5 attempts by default, waits base · 2^(n-1) ms",
        reconnect(
            "the_waits_are_the_documented_ones the_waits_are_configurable a_successful_connection_resets_the_count"
        )
        + node,
    ),
    Rule(
        16,
        "both generated from the one registry (TypeScript: zod)",
        (
            *messages("the_codec_accepts_the_good_and_rejects_the_bad_messages"),
            *typescript("every_type_has_an_interface_and_a_schema"),
            *node,
        ),
    ),
    Rule(
        16,
        "Reconnect resumes the session, resubscribes, fails in-flight calls with a typed, retryable `ConnectionLost`",
        reconnect(
            "the_session_is_resumed_with_its_secret events_continue_after_the_last_received_one "
            "subscriptions_are_renewed_in_a_new_session "
            "in_a_new_session_nothing_is_repeated"
        )
        + reconnect_in_node("actions_survive_cut_connections actions_survive_a_killed_server"),
    ),
    Rule(
        16,
        "unless they are safe to repeat (observations), which are repeated once",
        reconnect("an_observation_is_repeated_once an_action_is_repeated_under_its_key") + node,
    ),
    Rule(
        16,
        "so that the SDKs may repeat it too, five times",
        reconnect("an_action_is_repeated_on_five_connections_and_no_more a_faulty_message_is_not_sent_again") + node,
    ),
    Rule(
        17,
        "An action has the same effects on the page as Playwright's own",
        sum(
            (
                tests_of(f"parity/test_{name}.py")("page_sees_the_same")
                for name in ("click", "forms", "keyboard", "navigation", "pointer", "selectors", "states")
            ),
            (),
        ),
    ),
    Rule(
        17,
        "These differences are by design",
        tests_of("parity/test_differences.py")("the_protocol_lists_every_difference"),
    ),
)
