"""Sections 11 to 13: agent/observe, agent/act, agent/extract."""

from typing import Final

from tests.spec.rule import Rule, tests_of

act = tests_of("browser/act/test_sequence.py")
isolated_frames = tests_of("browser/observe/test_frame_tree_isolated.py")
completeness = tests_of("browser/observe/test_observe_complete.py")
changed_words = tests_of("browser/observe/test_changed_words.py")
changes = tests_of("browser/observe/test_changes.py")
following_looks = tests_of("browser/act/test_following_looks.py")
contract = tests_of("browser/server/test_contract.py")
dialogs = tests_of("browser/page/test_dialogs.py")
delegated = tests_of("browser/observe/test_delegated_items.py")
derived = tests_of("browser/observe/test_derived_names.py")
discovery = tests_of("browser/page/test_webmcp.py")
expect = tests_of("browser/act/test_expectations.py")
fold = tests_of("browser/observe/test_fold.py")
annotation_marks = tests_of("pure/browser/test_annotations.py")
annotations = tests_of("browser/observe/test_annotations.py")
extract = tests_of("browser/extract/test_extract.py")
value_lists = tests_of("browser/extract/test_extract_value_lists.py")
extract_answers = tests_of("browser/extract/test_extract_results.py")
extract_values = tests_of("pure/extraction/test_values.py")
look = tests_of("browser/observe/test_look.py")
observe = tests_of("browser/observe/test_observe.py")
frame_tree = tests_of("browser/observe/test_frame_tree.py")
refs = tests_of("browser/observe/test_refs.py")
repeated_lines = tests_of("pure/browser/test_repeated_lines.py")
sequence = tests_of("loop/corridor/test_sequence.py")
settle = tests_of("browser/settle/test_settle.py")


AGENT: Final = (
    Rule(11, "agent/observe → AgentObserveResult", contract("observe_then_act_by_ref")),
    Rule(11, "`includeMetadata` (true)", observe("the_method_takes_its_params_from_the_wire")),
    Rule(11, "`includeAccessibility`, `includeScreenshot`", observe("the_full_tier_has_screenshots_on_request")),
    Rule(11, "`includeBounds`", observe("bounds_are_those_of_the_page")),
    Rule(11, "`includeWebMCPTools` (false)", discovery("an_observation_has_the_tools_too")),
    Rule(11, "`maxElements` 1..2000 (100), `cursor?`", observe("pages_through_all_elements_once")),
    Rule(11, "`cursor?`", observe("a_cursor_continues_after_its_element")),
    Rule(11, "`filterRoles`, `viewportOnly`", observe("filters_by_role_and_viewport")),
    Rule(11, "`stableRefs` (true), `refreshRefs`", refs("refreshed_refs_are_new_and_earlier_ones_invalid")),
    Rule(11, "`includeRefHistory`", refs("a_ref_follows_to_the_node_that_takes_its_place")),
    Rule(
        11,
        "`annotateScreenshot` bool or",
        annotations("annotated_elements_can_be_selected marks_can_be_left_out invalid_options_are_refused_by_path")
        + annotation_marks("every_option_can_be_set invalid_options_are_named"),
    ),
    Rule(11, "`responseTier: full|interactive|minimal`", observe("the_minimal_tier_is_minimal")),
    Rule(
        11,
        "The look waits until the page has settled.",
        settle(
            "the_first_look_shows_the_outcome_of a_look_after_a_navigation_shows_what_the_page_fetches_then "
            "a_link_to_a_slow_document_is_followed_before_the_look the_observation_after_a_sequence_waits_for_its_steps"
        ),
    ),
    Rule(11, "An action is any request that may change the page.", settle("a_script_of_the_client_is_an_action_too")),
    Rule(
        11,
        "answer to what the action sends over a WebSocket is waited for, for at most 0.5 s",
        settle("the_first_look_shows_the_outcome_of a_look_does_not_wait_for"),
    ),
    Rule(11, "Not waited for: what a server sends unasked", settle("a_look_does_not_wait_for")),
    Rule(
        11,
        "If `settle.timeout` ends first, the look is taken then, with `pending` (a number) and `awaited`",
        settle("a_page_that_does_not_settle_in_time_says_what_is_pending"),
    ),
    Rule(
        11,
        "All frames of the page count, shadow roots, and dedicated workers that the action used.",
        settle(
            "what_a_frame_sets_off_in_its_parent_is_waited_for changes_in_a_shadow_root_are_waited_for "
            "the_first_look_shows_the_outcome_of"
        ),
    ),
    Rule(11, "InteractiveElement exactly as in the seed", contract("observe_then_act_by_ref")),
    Rule(11, "focused?, disabled?", observe("returns_values_and_states")),
    Rule(11, "checked?`, `expanded?`, `selected?`", observe("returns_values_and_states")),
    Rule(
        11,
        "`role` is the ARIA role, `name` the accessible name.",
        observe("roles_and_names_are_those_of_the_standards names_are_those_of_the_browser"),
    ),
    Rule(
        11,
        "A file field has the role `file`, and an editor without a role `textbox`. `nameFrom: derived` marks a name "
        "that the standards do not give",
        derived("elements_without_a_name_get_one_from_what_is_shown"),
    ),
    Rule(
        11,
        "`selector` uniquely targets the element: verified.",
        refs("every_selector_hits_its_element_alone") + contract("observe_then_act_by_ref"),
    ),
    Rule(
        11,
        "`alternativeSelectors` in the seed's order: testId, role plus name, css by id, text, css path",
        refs("selectors_are_ordered_by_stability"),
    ),
    Rule(11, "each verified unique or left out", refs("ambiguous_selectors_are_left_out")),
    Rule(
        11,
        "Found: native controls, ARIA widgets, contenteditable, click and pointer listeners",
        observe("finds_everything_interactive_and_nothing_else"),
    ),
    Rule(11, "in open shadow roots", observe("finds_everything_interactive_and_nothing_else")),
    Rule(
        11,
        "in all frames (same and cross origin)",
        frame_tree("all_frames_are_in_one_list_with_refs_of_their_frames paging_goes_through_all_frames_once"),
    ),
    Rule(
        11,
        "In a child frame the ref begins with the frame's number",
        frame_tree("all_frames_are_in_one_list_with_refs_of_their_frames")
        + frame_tree("a_ref_hits_the_element_in_its_frame_whatever_frame_is_selected"),
    ),
    Rule(
        11,
        "`metadata.unseenFrames` holds the ids of frames that did not answer in time",
        isolated_frames("a_frame_that_is_busy_for_ever_is_reported"),
    ),
    Rule(
        11,
        "`covered`: a click would go to another element … `offscreen`",
        completeness("marks_covered_and_offscreen_elements"),
    ),
    Rule(
        11, "`context`: what its row begins with", observe("elements_that_differ_only_by_their_row_have_it_as_context")
    ),
    Rule(
        11,
        "`fold: true` (the default in tier `minimal`) shows rows that repeat as a template",
        fold("rows_are_shown_as_a_template tier_minimal_folds_by_default every_element_is_listed_once"),
    ),
    Rule(11, "Forms are never folded.", fold("forms_are_never_folded")),
    Rule(
        11,
        "`text: none|brief|full` (`brief`): the visible words of the page in reading order",
        look("words_stand_in_reading_order_with_the_elements long_prose_is_cut_and_continued_by_the_cursor")
        + look("without_words_a_text_lists_elements_only what_lies_behind_a_dialog_is_left_to_the_cursor"),
    ),
    Rule(
        11,
        "Words that a person cannot see are left out",
        look("what_a_person_cannot_see_is_not_reported secrets_are_no_words"),
    ),
    Rule(
        11, "Content that style sheets generate beside a text is part of it", look("what_a_person_can_see_is_reported")
    ),
    Rule(11, '`format: "json"` holds the words as `content[', look("json_holds_the_words_of_the_text")),
    Rule(11, "New messages come first.", look("a_new_message_comes_first")),
    Rule(
        11,
        '`format: "text"` returns `text`, one line per block',
        fold("text_has_states_and_the_number_of_remaining_elements hostile_text_forges_no_line")
        + look("no_words_of_a_page_pass_for_ours")
        + frame_tree("words_of_third_party_frames_are_marked"),
    ),
    Rule(
        11,
        "What does not fit is left out by worth",
        look("what_matters_most_fits_first what_is_new_ranks_above_other_content"),
    ),
    Rule(11, "Words alone need no place within `maxElements`.", look("words_need_no_place_among_the_elements")),
    Rule(
        11, '`format: "both"` returns the text, and the elements in it', look("both_forms_hold_text_and_its_elements")
    ),
    Rule(
        11,
        'so is `+ "Saved" again` after other words in its place.',
        following_looks("words_that_are_back_after_others_are_reported"),
    ),
    Rule(
        11,
        "`maxTokens` bounds the text … `nextCursor` goes on",
        look("following_the_cursors_shows_every_word")
        + fold(
            "a_token_budget_is_used_but_not_exceeded "
            "every_element_is_listed_once_within_a_token_budget at_least_one_element_is_returned"
        ),
    ),
    Rule(
        11,
        "Left out: not rendered, `visibility:hidden`, `inert`, zero area",
        observe("finds_everything_interactive_and_nothing_else"),
    ),
    Rule(
        11,
        "clipped to nothing (unless it proxies a visible label)",
        derived("a_field_that_is_clipped_to_nothing_is_not_listed_unless_its_label_shows"),
    ),
    Rule(
        11,
        "Items are found one by one where a list, table, tree, menu, board or calendar has the listener",
        delegated("items_of_a_list_with_a_listener_are_listed_one_by_one"),
    ),
    Rule(
        11,
        "Elements that a delegated handler looks for are found too",
        delegated("elements_that_a_handler_looks_for_are_listed"),
    ),
    Rule(
        11,
        "it has `doubleClick: true`, in text `(double-clickable)`",
        delegated("elements_for_double_clicks_are_marked"),
    ),
    Rule(
        11,
        "those of a list inside an item, such as a submenu",
        delegated(
            "items_of_a_list_with_a_listener_are_listed_one_by_one "
            "a_click_on_a_branch_hits_its_words_and_not_the_items_in_it"
        ),
    ),
    Rule(11, "covered completely by a modal", observe("a_modal_dialog_leaves_only_itself")),
    Rule(11, "`totalInteractiveElements` counts all.", observe("pages_through_all_elements_once")),
    Rule(11, "Refs: `@` + short readable name", refs("refs_are_short_readable_and_unique")),
    Rule(11, "the same for the same element for its life", refs("a_ref_stays_with_its_element")),
    Rule(
        11,
        "across observations and re-renders",
        refs("a_ref_stays_with_its_element a_ref_follows_to_the_node_that_takes_its_place"),
    ),
    Rule(
        11,
        "a ref never names a different element later",
        refs("a_ref_is_never_given_to_another_element a_recycled_row_is_detected refs_are_invalid_after_a_navigation"),
    ),
    Rule(11, "`stability`: stable, new, moved", refs("a_ref_follows_to_the_node_that_takes_its_place")),
    Rule(
        11,
        "`changes {added[], updated[], removed[refs]}` against the last observation",
        observe("returns_changes_since_the_last_observation"),
    ),
    Rule(
        11,
        "`incremental: true` returns `changes` in place of `interactiveElements`",
        changes(
            "changes_as_json_hold_the_states_before_and_no_list a_list_that_is_rendered_again_is_no_change "
            "what_a_cursor_leads_to_is_no_news"
        ),
    ),
    Rule(
        11,
        "The first look, and one of another document, are full ones",
        changes("the_first_look_is_full_and_the_next_one_has_changes_only")
        + observe("returns_changes_since_the_last_observation"),
    ),
    Rule(
        11,
        "As text, the look at a page that was loaded again",
        following_looks("the_look_at_a_page_that_is_loaded_again_leaves_out_what_is_as_before")
        + repeated_lines("rows_that_have_other_refs_now_are_shown"),
    ),
    Rule(
        11,
        "As text, the changes are `+ @ref role",
        changes(
            "the_first_look_is_full_and_the_next_one_has_changes_only a_title_a_route_and_a_scroll_are_changes "
            "changes_of_frames_name_a_new_frame"
        ),
    ),
    Rule(
        11,
        "Beyond `maxTokens` or `maxElements`, changes are left to the next incremental look",
        changes(
            "changes_beyond_the_budget_come_with_the_next_look new_elements_beyond_the_maximum_come_with_the_next_look"
        ),
    ),
    Rule(
        11,
        "Changed words are lines too",
        changed_words(
            "changed_new_and_removed_words_are_reported changed_words_as_json "
            "a_row_is_new_with_its_elements_and_a_rendered_list_is_no_change "
            "the_first_look_with_all_changes_is_the_last_look words_that_a_cursor_leads_to_are_no_news"
        ),
    ),
    Rule(
        11,
        "New messages, then changed words and states, come first within `maxTokens`.",
        changed_words("new_words_beyond_the_budget_come_with_the_next_look_the_alert_first"),
    ),
    Rule(
        11,
        "What a modal dialog hides is no change while it is open.",
        changed_words("what_a_modal_dialog_hides_is_not_removed"),
    ),
    Rule(11, "`screenshot {data, format, width, height", observe("the_full_tier_has_screenshots_on_request")),
    Rule(
        11,
        "marks are drawn without touching the page's DOM",
        annotations("the_page_can_neither_forbid_nor_notice_them"),
    ),
    Rule(
        11,
        "`annotationMap [{label, ref, position{x,y}}]`",
        annotations("visible_elements_are_annotated_where_they_are a_box_surrounds_the_visible_part_of_an_element")
        + annotation_marks("the_badge_is_at_its_position_and_the_box_around_the_element"),
    ),
    Rule(
        11,
        "`metadata {url, title, viewport{width,height}, scroll?{x,y,maxX,maxY}",
        observe("metadata_describe_the_page_and_its_scroll_position"),
    ),
    Rule(11, "dialog?, frameId?}", dialogs("an_open_dialog_shows_in_the_list_and_in_observations")),
    Rule(
        11,
        "`webmcpTools [{name, description?, inputSchema?",
        discovery("a_form_is_a_tool_and_its_controls_are_its_schema tools_that_scripts_registered_are_found"),
    ),
    Rule(
        11,
        "`discovery/discover {options{maxTools 50",
        discovery("tools_beyond_the_limit_are_counted discovery_needs_the_scope_of_observations"),
    ),
    Rule(12, "agent/act → AgentActResult", contract("a_sequence_in_one_request")),
    Rule(12, "`steps[1..50]`", act("everything_is_checked_before_anything_runs")),
    Rule(12, "onError stop|skip|retry", act("what_a_failure_does")),
    Rule(12, "`retryDelay` 100..5000 (500, doubling)", sequence("each_retry_waits_twice_as_long")),
    Rule(
        12,
        "`pageId` (given on to every step that names none)",
        act("the_page_goes_on_to_the_steps_that_name_none a_page_that_is_not_there")
        + sequence("every_look_is_at_the_page_of_its_step"),
    ),
    Rule(12, "`stopOnFirstError` (true)", act("what_a_failure_does")),
    Rule(
        12,
        "`continueOnConditionFail` (false)",
        act("a_condition_that_is_not_met_says_why_and_its_step_does_not_run")
        + act(
            "a_failed_condition_ends_the_sequence_like_any_error going_on_after_conditions_does_not_mean_after_errors"
        ),
    ),
    Rule(
        12,
        "`timeout` (whole sequence; also interrupts a running step)",
        act("its_timeout_interrupts_a_running_step its_timeout_interrupts_what_is_waited_for")
        + act("a_page_that_is_busy_can_be_used_after_its_sequence")
        + sequence("the_timeout_is_the_whole_sequences steps_have_their_own_deadlines_within_it")
        + sequence("the_timeout_ends_whatever_is_waited_for a_slow_observation_is_no_step"),
    ),
    Rule(12, "`preObserve`, `postObserve`", act("observations_before_and_after")),
    Rule(12, '`postObserve` also `"changes"`', following_looks("steps_report_their_changes")),
    Rule(
        12,
        "An observation that fails before the first step fails the request … `postObservationError`",
        sequence(
            "an_observation_that_fails_afterwards_is_told_with_what_was_done the_timeout_ends_whatever_is_waited_for"
        )
        + sequence("an_observation_that_fails_before_fails_the_request"),
    ),
    Rule(
        12,
        "`expect` declares the step's expected outcome: a condition, or `{url?, text?, value?}`, that must hold",
        expect("what_is_expected_is_waited_for what_is_not_there_is_an_error_that_says_what_is")
        + expect("an_expectation_that_means_nothing_is_refused_before_anything_runs a_retry_does_the_action_again")
        + expect("what_a_field_for_secrets_holds_is_neither_told_nor_guessed")
        + sequence("what_is_not_as_expected_is_tried_again_and_has_a_result"),
    ),
    Rule(
        12,
        "Everything is checked before anything runs",
        act("everything_is_checked_before_anything_runs"),
    ),
    Rule(
        12,
        "A step that the scope or the URL rules refuse fails in its turn",
        act("a_refused_step_is_a_step_error a_step_at_a_refused_url_is_a_step_error"),
    ),
    Rule(12, "names against the seed's list of 17", sequence("the_steps_are_the_seeds_seventeen_and_a_wait")),
    Rule(
        12,
        "Nor is one retried whose error has `mayHaveActed`",
        sequence("what_may_have_acted_or_was_denied_is_not_tried_again"),
    ),
    Rule(
        12,
        "`maxRetries` counts retries after the first attempt.",
        sequence("each_retry_waits_twice_as_long a_retry_that_succeeds_is_the_last only_retry_tries_again"),
    ),
    Rule(
        12,
        "Before a retry a `ref` or ambiguous selector is resolved anew.",
        act("a_retry_sees_the_page_as_it_is_then a_retry_finds_the_element_that_took_the_place_of_a_refs"),
    ),
    Rule(
        12,
        "is *waited* for, all five states",
        act("a_condition_is_waited_for")
        + expect("a_condition_is_waited_for_across_documents a_condition_behind_a_dialog_is_given_up_in_its_own_time"),
    ),
    Rule(
        12,
        "`completed, total, success, results[{step, label?",
        contract("a_sequence_in_one_request") + act("what_a_failure_does the_same_step_twice_is_done_twice"),
    ),
    Rule(12, "(first failed step, also when continuing)", act("what_a_failure_does")),
    Rule(
        12,
        "A step error is the same object as a direct request's.",
        act("a_step_fails_with_the_error_of_a_direct_request a_step_succeeds_with_the_result_of_a_direct_request"),
    ),
    Rule(
        13,
        "agent/extract → AgentExtractResult",
        extract("a_table_with_headers_is_read cards_are_found_by_their_structure_alone"),
    ),
    Rule(
        13,
        "deeper than 2 levels → -32602",
        extract_answers("an_unsupported_schema_is_refused two_levels_of_nesting_are_supported"),
    ),
    Rule(
        13,
        "at most 200 properties and 20,000 bytes as JSON, a description 500 characters; more is -32602",
        tests_of("pure/protocol/test_extract_params.py")("a_schema_beyond_its_bounds_is_refused")
        + tests_of("browser/security/test_loop_holds.py")("a_schema_of_seven_megabytes_is_refused_before_it_is_read"),
    ),
    Rule(
        13,
        "Of the properties, one object has at most 60.",
        tests_of("pure/protocol/test_extract_params.py")("a_schema_beyond_its_bounds_is_refused"),
    ),
    Rule(13, "`mode? single|list|table`", extract_answers("the_list_mode_returns_a_list_of_objects")),
    Rule(
        13,
        "`selector?` (the scope, honoured)",
        extract_answers("only_the_selected_part_is_read a_selector_with_several_matches_is_refused"),
    ),
    Rule(
        13,
        "structure is found in tables, repeated siblings, definition lists, label and value pairs, forms, headings",
        extract("a_table_with_headers_is_read cards_are_found_by_their_structure_alone a_definition_list_is_one_object")
        + extract(
            "labels_and_values_are_read_from_any_markup the_current_values_of_a_form_are_read "
            "headings_with_their_content_are_items"
        ),
    ),
    Rule(
        13,
        "microdata, JSON-LD, Open Graph",
        extract(
            "microdata_names_values_of_any_form json_ld_is_read open_graph_is_read embedded_application_state_is_read"
        ),
    ),
    Rule(
        13,
        "Values are typed as the schema says",
        extract_answers("numbers_are_read_as_the_page_writes_them")
        + extract_values("a_number_is_read_by_its_locale yes_and_no_are_read stars_are_counted"),
    ),
    Rule(
        13,
        "`required` is honoured",
        extract_answers(
            "items_without_a_required_value_are_dropped_and_counted a_missing_required_property_of_an_object_fails"
        ),
    ),
    Rule(
        13,
        "descriptions and instruction steer the matching of names",
        extract("the_list_of_plain_values_with_the_requested_name_is_read values_are_read_from_attributes"),
    ),
    Rule(
        13,
        "sources?[{ref, selector, text?, path?}]",
        extract_answers("every_source_leads_to_its_value sources_in_shadow_roots_are_resolved"),
    ),
    Rule(
        13,
        "not found is `success:false` with an error text",
        extract_answers("a_page_without_data_fails an_extraction_without_items_fails"),
    ),
    Rule(
        13,
        "An array of plain strings whose request names no list",
        value_lists(
            "a_request_that_names_no_list_returns_the_entries_of_all a_request_that_names_one_list_returns_only_that"
        ),
    ),
    Rule(
        13,
        "`dropped` counts the items that lack a required value. `nextCursor` goes on behind `maxItems`.",
        extract_answers("items_without_a_required_value_are_dropped_and_counted the_cursor_returns_more_items"),
    ),
    Rule(
        13,
        "`fields` has",
        extract_answers("each_field_has_its_confidence_and_evidence a_conflict_with_json_ld_is_reported"),
    ),
    Rule(
        13,
        "A value below `minConfidence` is left out",
        extract_answers("doubtful_values_are_withheld_with_reasons a_doubtful_required_value_fails"),
    ),
    Rule(13, "`truncated: true`", extract_answers("a_truncated_page_is_reported")),
    Rule(13, "`confidence` is calibrated", extract_values("confidence_grows_with_the_fit")),
)
