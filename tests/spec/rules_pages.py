"""Sections 7 to 10: selectors, browser and pages, actions, observation."""

from typing import Final

from tests.spec.rule import Rule, tests_of

accessibility = tests_of("browser/observe/test_accessibility.py")
action_params = tests_of("pure/protocol/test_action_params.py")
actions = tests_of("browser/act/test_actions.py")
browser = tests_of("browser/engine/test_launch_and_close.py")
cold_return = tests_of("browser/sessions/test_cold_return.py")
connection = tests_of("loop/corridor/test_connection.py")
contexts = tests_of("browser/sessions/test_contexts.py")
contract = tests_of("browser/server/test_contract.py")
dialogs = tests_of("browser/page/test_dialogs.py")
downloads = tests_of("browser/page/test_downloads.py")
effects = tests_of("browser/act/test_effects.py")
events = tests_of("browser/events/test_events.py")
following_looks = tests_of("browser/act/test_following_looks.py")
frames = tests_of("browser/page/test_frames.py")
fast_pointer = tests_of("browser/act/test_fast_pointer.py")
hostile = tests_of("browser/security/test_hostile_pages.py")
locate = tests_of("browser/act/test_locate.py")
observations = tests_of("browser/observe/test_content.py")
observe = tests_of("browser/observe/test_observe.py")
pages = tests_of("browser/page/test_pages.py")
wait_for = tests_of("browser/settle/test_wait_for.py")
screenshots = tests_of("browser/observe/test_screenshots.py")
redaction = tests_of("pure/policy/test_redaction.py")
missing = tests_of("browser/observe/test_missing_elements.py")
refs = tests_of("browser/observe/test_refs.py")
schema = tests_of("pure/protocol/test_jsonschema.py")
secret_values = tests_of("browser/observe/test_secret_values.py")
secrets = tests_of("browser/security/test_secrets.py")
sessions = tests_of("browser/sessions/test_sessions.py")
selectors = tests_of("pure/browser/test_selectors.py")
semantic = tests_of("pure/browser/test_semantic.py")
uploads = tests_of("loop/corridor/test_upload_root.py")

POINTER: Final = ("action/click", "action/dblclick", "action/hover", "action/check", "action/uncheck", "action/clear")
HISTORY: Final = ("page/reload", "page/goBack", "page/goForward")

PAGES: Final = (
    Rule(
        8,
        "Ids of pages never repeat",
        sessions("a_stale_page_id_is_no_page_of_a_later_session")
        + cold_return("no_page_gets_the_id_of_an_earlier_one_after_a_restart"),
    ),
    Rule(7, "several matches count as one: visible if any is", wait_for("each_condition_is_waited_for")),
    Rule(7, "css{value} xpath{value} role{role,name?} text{value}", locate("each_kind_finds_its_element")),
    Rule(7, "`exact?` (default false: substring, case-insensitive)", locate("exact_is_exact")),
    Rule(7, "several matches → -32020 with candidates", actions("several_elements_are_told_apart")),
    Rule(
        7,
        "none before the deadline → -32012 (never -32016",
        actions("a_missing_element_is_not_a_timeout")
        + missing("a_missing_element_is_not_found_within_a_short_timeout"),
    ),
    Rule(7, "for the element to *exist*", actions("an_element_may_come_late")),
    Rule(
        7,
        "end the wait once the page has been at rest for 1.5 s",
        selectors("a_page_at_rest_is_waited_for_only_with_a_timeout")
        + tests_of("browser/semantic/test_candidates.py")("words_are_waited_for_while_the_page_may_still_change"),
    ),
    Rule(
        7, "no engine prefix, no `>>`", locate("a_selector_speaks_its_own_language_only") + selectors("what_css_may_be")
    ),
    Rule(7, "strings are never patterns", locate("text_that_looks_like_a_pattern_is_found_as_text text_is_only_text")),
    Rule(
        7,
        "the best match when it is clear",
        semantic(
            "descriptions_mean_what_a_reader_would_say "
            "the_description_resolves_to_the_best_element ranking_is_stable_and_bounded"
        ),
    ),
    Rule(
        7,
        "else -32020 with scored candidates",
        semantic("equally_fitting_elements_are_ambiguous_with_candidates no_more_than_five_candidates_are_told")
        + locate("a_description_that_fits_several_or_none"),
    ),
    Rule(7, "every action works at the element under that point", actions("every_action_works_at_a_point")),
    Rule(7, "Unknown → -32012 with the hint to observe again.", refs("an_unknown_ref_is_reported")),
    Rule(
        8,
        "`pageId?` on every page-bound method; absent or null: the active page.",
        pages("a_page_can_be_activated a_created_page_is_listed_as_active_with_its_options"),
    ),
    Rule(8, "`browser/launch {browser?: chromium|firefox|webkit", browser("launch_reports_the_browser")),
    Rule(
        8,
        "`unchanged` names those that the launch asked to be different",
        browser("a_second_launch_reports_what_it_did_not_change"),
    ),
    Rule(
        8,
        "Engines share processes between clients; a client owns its contexts.",
        pages("a_client_sees_only_its_own_pages") + contexts("contexts_and_clients_share_no_storage"),
    ),
    Rule(
        8,
        "from a client are refused (-32602, naming the operator's option that does it)",
        browser("operator_options_are_refused_with_a_reason"),
    ),
    Rule(8, "which are accepted and ignored", browser("harmless_arguments_change_nothing")),
    Rule(8, "`browser/close {browserId?}` → `{}`", browser("close_ends_only_the_clients_own_pages")),
    Rule(
        8,
        "`context/create {contextId?: [A-Za-z0-9-]{1,64}, options?",
        contexts("pages_of_a_context_have_its_settings ids_have_a_form a_context_can_begin_with_storage")
        + tests_of("browser/page/test_emulation.py")("pages_and_popups_of_a_context_are_on_its_device"),
    ),
    Rule(8, "`context/list` → `{contexts[{id, pageCount, created", contexts("contexts_are_listed_as_they_were_made")),
    Rule(8, "`context/destroy {contextId}` → `{pagesDestroyed}`", contexts("destroying_takes_the_pages_along")),
    Rule(8, "Default limit 5 (-32024).", contexts("the_limit_counts_every_context")),
    Rule(8, "`page/create {url?, viewport?", pages("a_created_page_is_listed_as_active_with_its_options")),
    Rule(
        8,
        "validated before any tab opens; becomes active",
        connection("urls_pass_the_policy_before_any_browser_work")
        + pages("a_created_page_is_listed_as_active_with_its_options a_page_that_can_not_be_loaded_is_not_left_behind"),
    ),
    Rule(8, "Limit 10 a client (-32024).", pages("the_number_of_pages_is_limited")),
    Rule(8, "`page/navigate {url, waitUntil?: load(default)", pages("navigate_returns_where_the_page_is")),
    Rule(
        8,
        "observe?: params of agent/observe",
        pages("navigating_and_observing_in_one_request"),
    ),
    Rule(
        8,
        "A failed load is -32015 and the next navigation works.",
        pages("a_failed_load_is_reported_and_the_next_one_works"),
    ),
    Rule(
        8,
        "`page/waitFor {text? | textGone? | url? | selector? + state?",
        wait_for(
            "each_condition_is_waited_for a_condition_that_is_not_met_is_named_with_what_was_there "
            "exactly_one_condition_is_accepted a_wait_is_a_step_of_a_sequence"
        ),
        names=("page/waitFor",),
    ),
    Rule(
        8,
        "A load that waits behind a dialog is no failure",
        dialogs(
            "a_load_that_waits_behind_a_dialog_returns_with_the_dialog_and_goes_on "
            "a_navigation_that_the_page_asks_about_goes_on_once_it_is_allowed"
        ),
    ),
    Rule(
        8,
        "`page/reload|goBack|goForward {waitUntil?, timeout?}`",
        pages("back_and_forward_move_in_the_history_and_stop_at_its_ends"),
        names=HISTORY,
    ),
    Rule(
        8,
        "`navigated:false` when there is no history",
        pages("back_and_forward_move_in_the_history_and_stop_at_its_ends"),
    ),
    Rule(
        8,
        "`page/close {pageId, runBeforeUnload?}`",
        pages("closing_a_page_makes_the_one_before_active")
        + dialogs("a_page_closes_with_a_dialog_open_and_may_ask_first"),
    ),
    Rule(
        8,
        "If no document ever loads in it (`javascript:`), it is `about:blank`",
        pages("a_popup_without_a_document_is_listed popups_without_a_document_count_as_pages"),
    ),
    Rule(
        8,
        "`page/list` → `{pages[Page + opener?, contextId], activePage}`, never blocks on a busy page",
        connection("requests_on_two_pages_and_free_ones_do_not_wait")
        + dialogs("an_open_dialog_shows_in_the_list_and_in_observations"),
    ),
    Rule(8, "`page/activate {pageId}`", pages("a_page_can_be_activated")),
    Rule(
        8,
        "Popups and tabs opened by pages are listed and announced",
        pages("a_popup_is_a_page") + events("the_first_load_of_a_popup_is_reported"),
    ),
    Rule(
        8,
        "they count towards the limit and the excess is closed",
        hostile("windows_beyond_the_limit_are_closed_and_reported a_thousand_windows"),
    ),
    Rule(8, "`frame/list` → `{frames[{frameId", frames("frames_are_listed_with_stable_ids")),
    Rule(8, "`frame/switch {frameId|selector|url}`", frames("a_frame_can_be_named_by_its_id_or_url")),
    Rule(
        8,
        "following actions and observations of that page target that frame, until `frame/main`",
        frames("a_switch_sends_actions_and_observations_to_the_frame a_ref_in_a_frame_can_be_acted_on"),
    ),
    Rule(
        8,
        "The selector is resolved in the current frame, or in the main frame if that one is gone",
        frames("switch_by_selector_after_the_frame_is_gone_begins_at_the_main_frame"),
    ),
    Rule(8, "or the frame is gone (-32040)", frames("a_frame_that_is_gone_is_reported")),
    Rule(
        8,
        "`rpc.discover` → an OpenRPC document",
        schema("the_document_is_json_with_every_method_and_notification"),
    ),
    Rule(
        9,
        "scope standard, upload full",
        action_params("all_actions_are_steps_and_only_upload_exceeds_standard"),
    ),
    Rule(
        9,
        "`options{timeout, force, noWaitAfter, trial}`",
        actions("a_trial_does_nothing a_click_may_be_told_not_to_wait"),
    ),
    Rule(
        9,
        "click, dblclick: `button, clickCount, modifiers, position`",
        actions("click_options click_at_a_position"),
    ),
    Rule(
        9,
        "`click|dblclick|hover|check|uncheck|clear {selector}`",
        actions("click_says_what_happened dblclick_and_hover check_and_uncheck fill_replaces_and_reads_back"),
        names=POINTER,
    ),
    Rule(9, "`fill {selector, value}`", actions("fill_replaces_and_reads_back"), names=("action/fill",)),
    Rule(
        9,
        "`type {selector, text, options{delay, clear}}` character by character",
        actions("type_goes_behind_what_is_there_character_by_character"),
        names=("action/type",),
    ),
    Rule(9, "`press {key, selector?}`", actions("press_with_and_without_an_element"), names=("action/press",)),
    Rule(9, "`scroll {selector?", actions("scroll_the_page scroll_an_element"), names=("action/scroll",)),
    Rule(
        9,
        "(with a selector and neither option: `toElement`)",
        actions("scroll_with_a_selector_alone_brings_the_element_into_view"),
    ),
    Rule(9, "`select {selector, values", actions("select_by_value_before_label"), names=("action/select",)),
    Rule(9, "`upload {selector, files", actions("upload_gives_bytes_and_a_bare_name"), names=("action/upload",)),
    Rule(9, "`drag {source, target", actions("drag_with_the_drag_events_and_with_the_mouse"), names=("action/drag",)),
    Rule(
        9,
        "Result, for every action, what really happened: `{url?, navigated, status?, newPages[]?, pendingPages[]?",
        actions("click_says_what_happened a_new_page_a_download_and_a_dialog_are_told"),
    ),
    Rule(
        8,
        "`/account` is not met by `/login?next=/account`",
        (
            "pure/policy/test_globs.py::test_a_part_of_a_url_is_none_of_its_query_unless_it_looks_so",
            "browser/tools/test_dispatch.py::test_a_refused_login_is_no_success_although_its_url_names_the_aim",
        ),
    ),
    Rule(
        9,
        "`status` is the HTTP status of the page's new document",
        ("browser/tools/test_dispatch.py::test_a_refused_login_is_no_success_although_its_url_names_the_aim",),
    ),
    Rule(
        9,
        "`newPages [{pageId, url, title}]`",
        pages("a_popup_is_a_page")
        + dialogs("a_click_returns_with_the_dialog_it_opened_and_the_client_answers_it")
        + dialogs("an_answer_is_armed_for_the_next_dialog_and_no_further")
        + downloads("the_result_of_a_click_names_its_download"),
    ),
    Rule(
        9,
        "`pendingPages`: the URLs of windows in which no document has come within 2 s",
        effects("tabs_without_an_opener_and_windows_without_a_document_are_reported"),
    ),
    Rule(
        9,
        "With `normalized: true` the field holds the text in another spelling",
        effects("another_spelling_in_the_field_is_reported no_spelling_of_a_secret_is_reported"),
    ),
    Rule(
        9,
        "a date input takes `YYYY-MM-DD`",
        effects("a_value_that_a_field_can_not_hold_names_the_format_and_changes_nothing what_is_cut_names_the_length"),
    ),
    Rule(
        9,
        "noEffect?",
        actions("check_and_uncheck scroll_the_page")
        + effects("what_has_an_effect_is_not_said_to_have_none a_click_that_nothing_comes_of"),
    ),
    Rule(
        9,
        "so is a double click of which only the first half landed",
        fast_pointer("a_double_click_that_something_comes_between_is_not_begun_anew"),
    ),
    Rule(
        9,
        "A click waits until the control that it is for is enabled",
        (
            "browser/act/test_disabled.py::test_part_of_a_disabled_control_is_not_clicked_until_it_is_enabled",
            "browser/act/test_disabled.py::test_enabled_element_near_a_disabled_control_is_clicked",
        ),
    ),
    Rule(
        9,
        "A click that no guard has seen land is -32021",
        ("browser/act/test_press_watch.py::test_press_that_the_page_hides_is_not_reported_as_done",),
    ),
    Rule(
        9,
        "The same holds for a click, a text or a key that comes after the page has replaced its document",
        ("browser/act/test_replaced_document.py::test_input_into_another_document_than_prepared_is_no_success",),
    ),
    Rule(
        9,
        "That holds in the target's frame and in every frame around it. A click by coordinates is not tried again",
        (
            "browser/act/test_press_watch.py::test_press_for_a_frame_reaches_nothing_that_covers_the_frame",
            "browser/act/test_press_watch.py::test_press_at_a_point_is_stopped_when_the_page_covers_the_point",
        ),
    ),
    Rule(
        9,
        "One whose element has a frame in its middle is -32021, and not sent: the frame would get it",
        ("browser/act/test_press_watch.py::test_a_press_on_an_element_goes_to_no_frame_in_it",),
    ),
    Rule(
        9,
        "A click that would land elsewhere is stopped before the page sees it",
        fast_pointer("nothing_else_is_hit_on_a_page_in_turmoil"),
    ),
    Rule(
        9,
        "replace `{{secret:name}}` with a secret of the operator's",
        secrets("a_session_that_uses_secrets_never_receives_them a_document_of_another_origin_gets_nothing"),
    ),
    Rule(
        9,
        "It is left out where the look of `observe` or `postObserve` shows changes",
        (
            "browser/tools/test_dispatch.py::test_an_effect_that_the_look_shows_is_not_denied",
            "browser/act/test_following_looks.py::test_a_late_effect_is_not_denied_by_the_result",
        ),
    ),
    Rule(
        9,
        "`fileChooser {multiple}`: the action opened a file chooser",
        ("browser/tools/test_dispatch.py::test_a_click_says_that_it_opened_a_file_chooser",),
    ),
    Rule(
        9,
        "`upload` to an element that is no field, such as a button or a label",
        (
            "browser/tools/test_dispatch.py::test_a_file_is_uploaded_by_what_opens_the_file_chooser",
            "browser/tools/test_dispatch.py::test_an_upload_by_what_opens_no_file_chooser_fails_and_says_so",
            "browser/tools/test_dispatch.py::test_words_of_an_upload_mean_a_file_input_where_one_fits",
        ),
    ),
    Rule(9, "A disabled file input is -32014.", actions("upload_to_the_wrong_element")),
    Rule(
        9,
        "`upload` takes `path` in place of `buffer`",
        uploads("the_browser_gets_what_is_in_the_file without_the_operator_s_option_no_path_is_taken"),
    ),
    Rule(9, "healed?", effects("a_ref_whose_element_was_replaced_is_found_again_and_said_to_be")),
    Rule(
        9,
        "Every action and `page/navigate` take `observe`",
        following_looks(
            "an_action_reports_what_it_has_changed the_look_of_an_action_takes_the_params_of_a_look "
            "the_look_after_a_link_is_a_full_one_of_the_next_document "
            "a_navigation_reports_a_full_look_or_why_there_is_none"
        ),
    ),
    Rule(
        9,
        "If it fails, or the time of the request is over, the result has `observationError`",
        following_looks(
            "the_result_of_an_action_that_closes_its_page_is_not_lost the_result_is_not_lost_when_the_time_is_over"
        ),
    ),
    Rule(
        9,
        "One that begins while the look of `observe` waits for",
        following_looks("a_download_that_begins_while_the_look_waits_is_in_the_result"),
    ),
    Rule(9, "`value` is read back from the page after fill, type, clear", actions("fill_replaces_and_reads_back")),
    Rule(
        9, "a value that did not land is -32021", actions("a_value_that_does_not_land a_control_that_does_not_change")
    ),
    Rule(
        9,
        "An action that starts a navigation returns after it committed.",
        actions("a_click_returns_after_its_navigation_committed the_keyboard_and_a_choice_navigate_too"),
    ),
    Rule(
        10,
        "`observe/screenshot {options{fullPage, clip",
        screenshots(
            "the_viewport_in_each_format jpeg_is_the_default_and_its_quality_counts "
            "a_screenshot_of_an_element_shows_it_alone_or_fails_with_its_state"
        )
        + screenshots("the_whole_document_and_parts_of_it only_masked_elements_are_pink")
        + screenshots("a_screenshot_shows_no_caret_and_the_page_does_again"),
    ),
    Rule(
        10,
        "the numbers those of the image",
        screenshots("the_viewport_in_each_format a_screenshot_in_device_pixels"),
    ),
    Rule(
        10,
        "`observe/accessibility {options{root, maxDepth",
        accessibility("the_tree_of_a_page a_root_a_depth_and_uninteresting_nodes controls_have_bounding_boxes"),
    ),
    Rule(
        10,
        "`observe/ariaSnapshot {selector?, options{timeout}}`",
        accessibility("outlines_are_as_playwright_writes_them"),
    ),
    Rule(
        10,
        "`observe/dom {options{root, depth",
        observations("the_document_as_html_is_the_same_document_again a_root_and_a_depth_limit_the_document"),
    ),
    Rule(10, "`observe/content {format", observations("a_page_as_markdown text_is_what_is_shown")),
    Rule(
        10,
        "`observe/pdf {options{format",
        screenshots("a_pdf_has_the_reported_number_of_pages paper_margins_and_scale_count"),
    ),
    Rule(
        10,
        "`observe/element {selector, properties[]",
        observations(
            "the_state_of_an_element states_that_an_element_can_be_in an_element_of_a_busy_page_is_found "
            "a_missing_element_is_not_waited_for"
        ),
    ),
    Rule(10, "`{found, …and the same values at top level}`", contract("the_seeds_messages_are_enough")),
    Rule(
        10,
        "Values of passwords, one-time codes and cards (by DOM type and autocomplete) never leave the browser",
        observations("passwords_stay_in_the_page a_password_that_is_shown_is_still_one")
        + accessibility("no_secret_is_in_the_tree")
        + secret_values("no_view_shows_the_value_of_a_secret_field")
        + secret_values("no_view_shows_what_was_filled_into_a_secret_field"),
    ),
    Rule(10, "nor by agent/observe", observe("secrets_never_leave_the_page")),
    Rule(10, "or events", redaction("likely_secrets_are_redacted a_body_is_replaced_by_a_placeholder")),
)
