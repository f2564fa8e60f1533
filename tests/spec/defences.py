"""Each row of the threat model (docs/security.md, 1A to 1D), and the tests that hold it."""

import attrs


@attrs.frozen
class Defence:
    """One row: its section, its threat as it stands there, and the tests."""

    section: str
    threat: str
    tests: tuple[str, ...]


def _row(section: str, threat: str, tests: str) -> Defence:
    return Defence(section, threat, tuple(tests.split()))


DEFENCES = (
    _row(
        "1A",
        "Cross-site WebSocket hijacking",
        """
        loop/gate/test_gate.py::test_only_allowed_origins_are_answered
        loop/gate/test_gate.py::test_a_request_that_a_web_page_has_caused
        browser/security/test_foreign_pages.py::test_a_page_opens_a_socket_only_where_the_operator_lets_it
        browser/security/test_foreign_pages.py::test_a_page_reads_nothing_of_the_server
        """,
    ),
    _row(
        "1A",
        "DNS rebinding",
        """
        loop/gate/test_gate.py::test_only_allowed_hosts_are_answered
        loop/gate/test_gate.py::test_a_bad_handshake_is_refused_and_hurts_nobody
        browser/security/test_foreign_pages.py::test_a_rebound_name_is_not_ours
        """,
    ),
    _row(
        "1A",
        "No token by default",
        """
        pure/cli/test_settings.py::test_an_address_that_others_can_reach_needs_a_token
        pure/cli/test_cli.py::test_a_bad_setting_is_one_line_and_exit_code_2
        pure/cli/test_cli.py::test_a_scope_that_no_client_can_have_is_refused
        browser/server/test_cli_serve.py::test_a_server_without_a_token_says_so
        loop/gate/test_auth.py::test_without_a_token_all_come_in_as_standard_at_most
        """,
    ),
    _row(
        "1A",
        "Token check",
        """
        loop/gate/test_auth.py::test_only_the_right_token_is_admitted
        loop/gate/test_auth.py::test_tokens_are_compared_in_constant_time
        loop/gate/test_auth.py::test_every_token_of_the_file_is_compared
        loop/gate/test_auth.py::test_a_short_token_is_no_token
        loop/gate/test_auth.py::test_a_short_token_of_the_file_admits_nobody
        loop/gate/test_auth.py::test_an_expired_token_is_refused_and_is_no_guess
        """,
    ),
    _row(
        "1A",
        "Lock-out by requests to `/mcp`",
        """
        loop/gate/test_mount.py::test_a_token_leaves_requests_to_the_others
        loop/gate/test_mount.py::test_requests_under_way_are_limited_and_awaited
        """,
    ),
    _row(
        "1A",
        "Lock-out by wrong tokens",
        """
        loop/gate/test_auth.py::test_ten_wrong_tokens_a_minute
        loop/gate/test_auth.py::test_a_right_token_passes_after_any_number_of_wrong_ones
        loop/gate/test_gate.py::test_further_wrong_tokens_wait_for_their_answer_and_a_right_one_does_not
        loop/gate/test_gate.py::test_a_token_has_so_many_connections
        browser/security/test_foreign_pages.py::test_a_page_can_not_lock_the_clients_out
        """,
    ),
    _row(
        "1A",
        "Token in URL leaks",
        """
        browser/security/test_canaries.py::test_no_log_line_contains_a_secret
        browser/security/test_canaries.py::test_no_process_receives_a_secret
        loop/gate/test_gate.py::test_a_refusal_repeats_nothing_and_is_not_kept
        browser/server/test_cli_serve.py::test_the_token_is_needed_and_never_logged
        """,
    ),
    _row(
        "1A",
        "Tokens and pages readable on the network",
        """
        loop/gate/test_tls.py::test_the_client_connects_to_a_server_whose_authority_it_names
        loop/gate/test_tls.py::test_plain_http_is_answered_encrypted_and_ends_in_order
        loop/gate/test_tls.py::test_who_does_not_speak_tls_hurts_nobody
        loop/gate/test_tls.py::test_a_handshake_that_does_not_end_is_cut
        loop/gate/test_tls.py::test_a_reload_shows_the_new_certificate_and_drops_nobody
        loop/gate/test_tls.py::test_a_certificate_that_can_not_be_used_is_named
        """,
    ),
    _row(
        "1A",
        "Scope escape",
        """
        loop/corridor/test_scope_matrix.py::test_a_method_takes_its_scope
        loop/corridor/test_scope_matrix.py::test_a_step_takes_its_own_scope
        loop/corridor/test_scope_matrix.py::test_a_client_can_not_raise_its_scope
        loop/corridor/test_scope_matrix.py::test_a_page_gets_nothing_for_its_context_below_the_scope_for_that
        loop/sessions/test_sessions.py::test_a_session_is_given_to_nobody_else
        loop/sessions/test_sessions.py::test_without_the_secret_or_the_token_the_id_names_another_session
        pure/policy/test_narrowing.py::test_a_tokens_rules_never_allow_more_than_the_servers
        browser/security/test_token_policies.py::test_a_token_s_domains_hold_for_requests_and_for_the_pages
        """,
    ),
    _row(
        "1A",
        "Revoked token",
        """
        loop/gate/test_auth.py::test_a_reload_withdraws_the_grants_that_are_gone_or_have_changed
        loop/gate/test_auth.py::test_a_reload_can_close_an_open_server_and_open_it_again
        loop/sessions/test_reload.py::test_only_clients_of_withdrawn_tokens_are_closed
        loop/sessions/test_reload.py::test_sessions_that_wait_for_the_clients_of_withdrawn_tokens_end
        loop/sessions/test_reload.py::test_a_client_that_waited_at_the_gate_meanwhile_is_closed
        loop/sessions/test_reload.py::test_secrets_and_rules_hold_from_the_next_request_on
        browser/server/test_cli_reload.py::test_a_reload_drops_only_those_whose_token_is_gone
        browser/live/test_access.py::test_links_and_keys_end_with_the_token_that_made_them
        """,
    ),
    _row(
        "1A",
        "An agent takes its page over by its own link",
        """
        pure/server/test_live_access.py::test_by_a_link_nothing_is_done_that_rules_would_judge
        pure/server/test_live_access.py::test_by_a_link_files_need_the_scope_of_uploads
        loop/watch/test_live_view.py::test_a_page_has_no_handoff_of_another_session_s_page_of_that_id
        browser/live/test_access.py::test_the_link_of_a_handoff_gives_its_agent_no_further_right
        pure/server/test_live_access.py::test_a_takeover_by_a_link_ends_at_the_first_input_under_rules_that_refuse_it
        """,
    ),
    _row(
        "1A",
        "MCP sessions",
        """
        browser/mcp/test_http.py::test_tokens_tabs_and_approvals
        loop/corridor/test_approvals.py::test_who_approves_for_nobody_else_is_not_asked
        loop/gate/test_mount.py::test_each_refusal_has_its_status
        """,
    ),
    _row(
        "1A",
        "HTTP smuggling, h2c",
        """
        loop/gate/test_gate.py::test_a_bad_handshake_is_refused_and_hurts_nobody
        """,
    ),
    _row(
        "1A",
        "Port confusion",
        """
        loop/gate/test_gate.py::test_the_port_is_ours_alone
        browser/server/test_cli_serve.py::test_a_port_in_use_is_one_line
        """,
    ),
    _row(
        "1B",
        "`javascript:`, `data:`, `file:`",
        """
        pure/policy/test_urls.py::test_every_other_scheme_is_refused
        pure/policy/test_urls.py::test_anything_but_a_plain_absolute_url_is_refused
        """,
    ),
    _row(
        "1B",
        "Documents of the browser's own",
        """
        browser/security/test_browser_pages.py::test_the_pdf_viewer_runs_no_script_of_a_client
        browser/security/test_browser_pages.py::test_a_client_can_not_give_the_pdf_viewer_a_script
        pure/browser/test_page_events.py::test_a_page_that_goes_to_a_document_of_the_browsers_own_is_closed
        pure/browser/test_page_events.py::test_a_window_with_a_document_of_the_browsers_own_is_closed
        """,
    ),
    _row(
        "1B",
        "Programs of the machine, by `mailto:`, `tel:` and other schemes in a page",
        """
        pure/browser/test_driver_dirs.py::test_a_browser_finds_programs_that_start_nothing
        browser/security/test_wall.py::test_a_page_starts_no_program_by_the_scheme_of_a_url
        """,
    ),
    _row(
        "1B",
        "Dialogs of full Chromium",
        "browser/security/test_browser_pages.py::test_a_page_that_asks_for_something_still_takes_input",
    ),
    _row(
        "1B",
        "Metadata and link-local",
        """
        pure/policy/test_urls.py::test_metadata_hosts_are_refused_in_every_spelling
        pure/policy/test_urls.py::test_every_spelling_of_an_address_has_the_same_result
        loop/egress/test_proxy.py::test_metadata_is_never_reached
        loop/egress/test_proxy.py::test_a_name_that_resolves_to_metadata_is_refused
        browser/security/test_wall.py::test_a_host_name_is_checked_by_its_addresses
        """,
    ),
    _row(
        "1B",
        "Loopback and private",
        """
        pure/policy/test_urls.py::test_a_private_host_is_open_to_the_client_itself_unless_the_operator_denies_it
        loop/egress/test_proxy.py::test_private_space_opens_and_closes_with_the_session
        loop/egress/test_proxy.py::test_our_own_port_is_never_reached
        browser/security/test_wall.py::test_private_space_is_closed_until_the_client_goes_there
        browser/security/test_wall.py::test_no_page_reaches_the_server_itself
        browser/security/test_wall.py::test_a_private_network_is_open_only_to_the_client_that_navigated_there
        """,
    ),
    _row(
        "1B",
        "Userinfo, suffix, prefix tricks",
        """
        pure/policy/test_urls.py::test_an_entry_matches_whole_labels_only
        pure/policy/test_urls.py::test_matching_compares_labels
        pure/policy/test_urls.py::test_anything_but_a_plain_absolute_url_is_refused
        """,
    ),
    _row(
        "1B",
        "IDNA, case, trailing dot, port",
        """
        pure/policy/test_urls.py::test_entries_and_hosts_are_compared_in_canonical_form
        pure/policy/test_urls.py::test_an_invalid_entry_is_named_at_the_start
        pure/policy/test_urls.py::test_an_empty_allowlist_does_not_mean_everything
        """,
    ),
    _row(
        "1B",
        "Redirects, subresources, iframes, popups",
        """
        browser/security/test_wall.py::test_no_way_leads_past_the_wall
        browser/security/test_wall.py::test_without_the_wall_every_way_leads_there
        browser/security/test_wall.py::test_a_click_that_navigates_to_a_refused_url_is_reported
        browser/security/test_wall.py::test_a_click_that_opens_a_window_at_a_refused_url_is_reported
        browser/security/test_wall.py::test_a_browser_that_gets_past_the_wall_is_not_used
        browser/security/test_wall.py::test_the_wall_outlives_the_browser
        """,
    ),
    _row(
        "1B",
        "Name resolves to a bad address",
        """
        loop/egress/test_proxy.py::test_one_private_address_spoils_a_name
        loop/egress/test_proxy.py::test_an_answer_that_is_asked_for_again_is_judged_again
        loop/egress/test_proxy.py::test_a_pinned_answer_is_judged_each_time
        pure/policy/test_urls.py::test_an_exact_entry_may_be_private_and_a_wildcard_may_not
        """,
    ),
    _row(
        "1B",
        "`cdpUrl`, `userDataDir`",
        """
        loop/corridor/test_operator_settings.py::test_a_launch_parameter_of_the_operator_s_is_refused_in_every_scope
        loop/corridor/test_operator_settings.py::test_no_other_method_has_a_parameter_that_names_one
        """,
    ),
    _row(
        "1B",
        "Selector injection",
        """
        pure/browser/test_selectors.py::test_an_unquoted_chain_is_refused
        pure/browser/test_selectors.py::test_a_pattern_is_refused_however_it_is_spelt
        browser/act/test_locate.py::test_a_selector_speaks_its_own_language_only
        browser/act/test_locate.py::test_text_that_looks_like_a_pattern_is_found_as_text
        """,
    ),
    _row(
        "1C",
        "`storage/setState` origins and cookies",
        """
        browser/page/test_storage.py::test_one_bad_origin_keeps_all_from_being_set
        browser/page/test_storage.py::test_one_bad_cookie_keeps_all_from_being_set
        browser/page/test_storage.py::test_too_many_are_refused
        browser/page/test_storage.py::test_the_allowlist_holds_for_every_url_of_a_state
        """,
    ),
    _row(
        "1C",
        "`page/navigate` result leaks `set-cookie`",
        """
        browser/security/test_canaries.py::test_no_result_contains_a_secret_except_the_page_s_url
        """,
    ),
    _row(
        "1C",
        "Downloads",
        """
        pure/policy/test_filenames.py::test_an_unsafe_name_is_replaced
        pure/cli/test_verbs.py::test_a_shell_obeys_nothing_in_the_name_of_a_download
        browser/page/test_downloads.py::test_a_name_is_never_a_path
        browser/page/test_downloads.py::test_a_download_is_reported_stored_and_read
        browser/page/test_downloads.py::test_too_many_files_are_refused
        browser/page/test_downloads.py::test_what_a_page_downloads_by_itself_makes_room_for_another_site
        browser/page/test_downloads.py::test_downloads_under_way_make_room_for_another_site
        browser/page/test_downloads.py::test_an_endless_download_is_cancelled_and_slows_no_other_client
        browser/page/test_downloads.py::test_a_burst_of_downloads_keeps_what_the_quota_allows
        pure/browser/test_disk_guard.py::test_a_thread_empties_what_nobody_has_asked_about
        browser/page/test_downloads.py::test_reading_needs_scope_full_and_downloading_needs_standard
        """,
    ),
    _row(
        "1C",
        "Upload",
        """
        browser/act/test_actions.py::test_upload_gives_bytes_and_a_bare_name
        browser/act/test_actions.py::test_upload_of_bad_files
        browser/security/test_upload_root.py::test_the_page_gets_the_file_and_no_other
        browser/security/test_upload_root.py::test_a_frame_of_another_site_does_not_get_the_file_by_its_own_chooser
        browser/live/test_takeover.py::test_files_for_one_site_go_to_no_chooser_of_another
        loop/corridor/test_upload_root.py::test_a_file_that_can_t_be_had_is_named
        loop/corridor/test_upload_root.py::test_without_the_operator_s_option_no_path_is_taken
        loop/corridor/test_upload_root.py::test_below_full_nothing_is_read
        pure/server/test_uploads.py::test_a_path_that_is_more_than_names_is_refused
        pure/server/test_uploads.py::test_a_link_leads_nowhere
        pure/server/test_uploads.py::test_only_regular_files_are_read
        pure/server/test_uploads.py::test_a_directory_that_becomes_a_link_meanwhile_leads_nowhere
        """,
    ),
    _row(
        "1C",
        "`eval`",
        """
        browser/page/test_scripts.py::test_the_scope_and_the_params
        browser/page/test_scripts.py::test_a_script_without_end_is_ended_at_its_deadline
        """,
    ),
    _row(
        "1C",
        "Secrets in console/network/trace/HTML/screenshot",
        """
        browser/security/test_canaries.py::test_no_event_contains_a_secret
        browser/security/test_canaries.py::test_no_error_contains_a_secret
        browser/security/test_canaries.py::test_no_result_contains_a_secret_except_the_page_s_url
        browser/security/test_canaries.py::test_a_trace_holds_nothing_of_the_server_s
        browser/page/test_tracing.py::test_a_recording_has_no_values_of_secret_fields_and_nothing_that_was_sent
        browser/security/test_canaries.py::test_no_recording_contains_a_secret
        browser/events/test_network_events.py::test_no_secret_is_in_an_event
        browser/security/test_secrets.py::test_a_session_that_uses_secrets_never_receives_them
        browser/security/test_secrets.py::test_no_pixel_of_a_field_with_a_secret_shows
        browser/security/test_secret_spellings.py::test_no_other_spelling_is_read_letter_by_letter_or_printed
        pure/policy/test_masking.py::test_spellings_that_browsers_make_by_themselves_are_masked
        pure/browser/test_accessibility_tree.py::test_adjacent_texts_that_show_a_secret_together_are_masked
        pure/policy/test_trace_redaction.py::test_a_field_that_shows_its_password_in_another_snapshot_is_without_it_in_all
        pure/policy/test_masking.py::test_what_nobody_sees_between_its_letters_hides_no_value
        browser/security/test_secret_spellings.py::test_a_link_to_an_encoded_secret_is_not_searched_and_does_not_show_it
        browser/security/test_secrets.py::test_a_document_of_another_origin_gets_nothing
        browser/security/test_secret_parts.py::test_an_edit_of_a_part_of_a_secret_empties_the_field
        browser/security/test_secret_parts.py::test_a_field_too_short_for_a_secret_keeps_no_part_of_it
        browser/security/test_secret_parts.py::test_a_client_that_stops_typing_a_secret_leaves_no_part_of_it
        pure/browser/test_person_input.py::test_no_key_of_a_person_pastes_what_documents_have_copied
        browser/security/test_secrets.py::test_a_frame_that_takes_the_focus_gets_nothing
        browser/observe/test_content.py::test_passwords_stay_in_the_page
        browser/observe/test_accessibility.py::test_no_secret_is_in_the_tree
        pure/policy/test_redaction.py::test_a_secret_header_keeps_its_name_only
        browser/page/test_tracing.py::test_a_recording_is_private_and_nothing_is_left_of_it
        browser/security/test_secret_spellings.py::test_refs_numbers_file_names_and_slices_of_files_hold_no_secret
        browser/security/test_secret_spellings.py::test_secrets_stay_masked_and_covered_after_a_restart_of_the_server
        pure/policy/test_masking.py::test_every_slice_of_a_file_is_without_the_secret
        browser/security/test_secret_spellings.py::test_no_selector_asks_for_a_part_of_a_masked_value
        browser/observe/test_secret_values.py::test_no_view_shows_the_value_of_a_secret_field
        browser/observe/test_secret_values.py::test_no_key_takes_a_value_out_of_a_secret_field
        browser/observe/test_secret_values.py::test_no_drag_takes_a_value_out_of_a_secret_field
        browser/security/test_secret_spellings.py::test_no_text_of_a_page_with_a_secret_is_read_letter_by_letter
        browser/security/test_secret_spellings.py::test_no_url_is_read_letter_by_letter
        browser/security/test_secret_spellings.py::test_no_secret_that_a_page_shows_is_pasted_into_another_site
        browser/security/test_secret_spellings.py::test_pictures_cover_a_secret_in_documents_that_may_not_know_it
        pure/policy/test_subscriptions.py::test_a_filter_finds_no_part_of_a_secret_in_a_url
        """,
    ),
    _row(
        "1A",
        "Approvals judged elsewhere",
        """
        browser/clients/test_approvals.py::test_an_action_is_judged_by_the_frame_in_which_it_lands
        browser/clients/test_approvals.py::test_an_action_that_waits_lands_in_no_later_document
        browser/clients/test_approvals.py::test_an_action_that_waits_lands_on_no_later_route_of_an_application
        browser/clients/test_approvals.py::test_no_input_comes_to_a_frame_that_the_page_puts_in_its_way
        browser/clients/test_approvals.py::test_an_empty_window_is_judged_by_the_page_that_has_opened_it
        browser/clients/test_approvals.py::test_a_rule_for_actions_holds_back_what_accepts_a_dialog
        pure/policy/test_approval_rules.py::test_another_spelling_of_a_url_is_the_same_place
        loop/corridor/test_approvals.py::test_a_page_that_is_allowed_opens_no_other_host
        loop/corridor/test_approvals.py::test_a_page_that_goes_elsewhere_meanwhile_is_not_acted_on
        """,
    ),
    _row(
        "1A",
        "Approvals judged for something else",
        """
        loop/corridor/test_approvals.py::test_an_element_that_changes_meanwhile_is_not_acted_on
        browser/clients/test_approvals.py::test_an_approved_element_with_another_name_at_the_press_is_not_pressed
        browser/clients/test_approvals.py::test_an_approved_element_is_pressed_once_if_the_press_gives_it_another_name
        browser/clients/test_approvals.py::test_nothing_in_or_over_an_approved_element_gets_the_press
        browser/clients/test_approvals.py::test_an_approver_is_shown_the_control_that_a_press_is_for
        browser/clients/test_approvals.py::test_a_press_for_a_part_that_listens_is_not_that_of_what_is_around_it
        browser/clients/test_approvals.py::test_an_approved_key_is_not_pressed_in_an_element_that_the_focus_gives_another_name
        browser/clients/test_approvals.py::test_a_press_of_several_keys_is_not_approved
        browser/clients/test_approvals.py::test_a_fill_moves_no_slider_where_a_rule_holds_back_clicks
        loop/corridor/test_approvals.py::test_others_are_served_while_long_urls_are_compared
        pure/policy/test_approval_rules.py::test_a_domain_that_matches_no_host_is_refused
        pure/policy/test_approval_rules.py::test_a_rule_that_holds_an_action_back_holds_back_those_with_its_effect
        pure/policy/test_approval_rules.py::test_a_url_that_is_too_long_matches_all_patterns_but_those_of_a_rule_that_allows
        pure/policy/test_approval_rules.py::test_another_spelling_of_a_host_is_the_same_host
        """,
    ),
    _row(
        "1A",
        "Recordings as a leak",
        """
        browser/security/test_canaries.py::test_no_recording_contains_a_secret
        browser/recorder/test_recording.py::test_an_export_holds_what_happened_and_no_password
        browser/recorder/test_recording.py::test_no_picture_is_taken_while_a_secret_field_shows_its_value
        browser/recorder/test_recording.py::test_recordings_of_ended_sessions_are_those_of_the_token
        pure/recorder/test_archive.py::test_no_word_of_a_page_ends_the_script_of_the_viewer
        pure/recorder/test_export_injection.py::test_words_in_any_field_are_no_code_of_an_exported_test
        pure/recorder/test_archive.py::test_only_names_of_ours_are_unpacked
        pure/recorder/test_archive.py::test_a_record_directory_keeps_what_has_left_the_memory
        pure/recorder/test_record_dir.py::test_a_record_directory_that_others_can_write_to_is_refused
        pure/recorder/test_record_dir.py::test_a_record_directory_of_another_user_is_refused
        """,
    ),
    _row(
        "1A",
        "Answers of a person at the live view that another dialog or request gets",
        """
        browser/live/test_takeover.py::test_an_answer_goes_to_no_dialog_but_the_one_that_the_person_has_seen
        browser/live/test_access.py::test_a_second_click_approves_no_other_request
        """,
    ),
    _row(
        "1A",
        "Acts that nobody can trace",
        """
        browser/server/test_audit_log.py::test_requests_and_steps_are_recorded_without_values
        browser/server/test_audit_log.py::test_a_reopened_log_leaves_the_moved_file
        browser/server/test_cli_reload.py::test_a_reload_drops_only_those_whose_token_is_gone
        """,
    ),
    _row(
        "1C",
        "A page puts another element under a press",
        """
        browser/act/test_press_watch.py::test_press_for_a_frame_reaches_nothing_that_covers_the_frame
        browser/act/test_press_watch.py::test_press_that_the_page_hides_is_not_reported_as_done
        browser/act/test_hazards.py::test_a_click_during_any_change_reaches_the_observed_element_or_none
        """,
    ),
    _row(
        "1C",
        "A page takes back what was filled",
        """
        browser/act/test_actions.py::test_a_field_that_takes_the_text_back_a_moment_later_is_not_filled
        browser/act/test_actions.py::test_fill_replaces_and_reads_back
        """,
    ),
    _row(
        "1D",
        "Recordings that are larger as objects",
        """
        loop/sessions/test_recording_turns.py::test_exports_take_turns
        loop/sessions/test_recording_turns.py::test_an_owner_waits_for_one_export_of_another
        loop/sessions/test_recording_turns.py::test_an_answer_has_a_bounded_part_of_a_recording
        pure/recorder/test_archive.py::test_an_export_holds_one_entry_as_objects_at_a_time
        """,
    ),
    _row(
        "1D",
        "Huge frame / message",
        """
        loop/gate/test_floods.py::test_ten_mebibytes_pass_and_one_byte_more_does_not
        loop/gate/test_floods.py::test_a_stream_of_400_mib_is_not_kept
        loop/gate/test_socket.py::test_a_broken_rule_closes_with_its_code
        """,
    ),
    _row(
        "1D",
        "Compression bomb",
        """
        loop/gate/test_floods.py::test_no_extension_is_accepted
        loop/gate/test_socket.py::test_a_broken_rule_closes_with_its_code
        """,
    ),
    _row(
        "1D",
        "Fragment flood, ping flood, empty frames",
        """
        loop/gate/test_socket.py::test_a_broken_rule_closes_with_its_code
        loop/gate/test_socket.py::test_the_limits_themselves_are_allowed
        loop/gate/test_socket.py::test_fifty_pings_a_second_may_go_on
        """,
    ),
    _row(
        "1D",
        "Small requests with a large answer",
        """
        loop/corridor/test_discover.py::test_simultaneous_requests_share_one_document_that_no_loop_has_made
        """,
    ),
    _row(
        "1D",
        "Message flood",
        """
        loop/gate/test_crowds.py::test_ten_thousand_requests_are_answered_once_each
        loop/corridor/test_connection.py::test_at_most_so_many_requests_are_in_flight
        loop/corridor/test_connection.py::test_connections_of_an_owner_with_many_requests_have_a_few_each
        loop/gate/test_gate.py::test_a_connection_beyond_the_limit_is_refused_until_another_leaves
        loop/gate/test_rates.py::test_so_many_in_any_minute
        loop/gate/test_rates.py::test_a_client_is_told_and_goes_on_later
        browser/security/test_token_policies.py::test_the_rate_of_a_token_is_that_of_all_its_clients
        """,
    ),
    _row(
        "1D",
        "Large messages on many connections",
        """
        loop/gate/test_intake.py::test_messages_that_do_not_end_take_a_bounded_memory_and_all_become_whole_later
        loop/gate/test_intake.py::test_a_message_that_stays_away_makes_room_for_another_of_its_owner
        loop/gate/test_intake.py::test_a_large_message_waits_for_the_answers_to_others
        loop/gate/test_intake.py::test_a_socket_is_closed_while_its_message_waits
        loop/gate/test_intake.py::test_a_wide_character_counts_for_the_whole_message
        loop/gate/test_intake.py::test_those_who_watch_by_links_of_one_owner_have_one_memory
        loop/corridor/test_connection.py::test_messages_count_as_their_owners_until_their_answers
        loop/gate/test_mount.py::test_a_token_sends_sixteen_large_bodies_at_once
        loop/mcp/test_endpoint.py::test_calls_whose_clients_have_left_have_a_limit_of_memory
        """,
    ),
    _row(
        "1D",
        "Names whose name server does not answer",
        """
        loop/egress/test_proxy.py::test_slow_names_of_one_site_delay_no_other_name
        """,
    ),
    _row(
        "1D",
        "Slow reader",
        """
        loop/gate/test_floods.py::test_a_client_that_never_reads_is_dropped
        loop/gate/test_floods.py::test_a_client_that_never_reads_does_not_hold_up_the_end
        loop/corridor/test_outbox.py::test_a_notification_without_room_is_dropped_counted_and_told
        loop/corridor/test_outbox.py::test_the_queue_is_bounded_in_bytes_but_a_large_message_goes_alone
        loop/gate/test_socket_close.py::test_a_peer_that_does_not_read_is_dropped
        """,
    ),
    _row(
        "1D",
        "Memory that each session keeps, times an owner's sessions",
        """
        loop/corridor/test_idempotency.py::test_the_answers_of_all_sessions_of_an_owner_have_one_limit
        loop/corridor/test_idempotency.py::test_large_results_push_others_out
        pure/recorder/test_journal.py::test_the_recordings_of_an_owner_have_one_limit
        pure/recorder/test_journal.py::test_an_owner_with_many_ended_recordings_loses_its_own
        loop/corridor/test_connection.py::test_nothing_keeps_a_page_id_that_is_longer_than_any
        pure/browser/test_intercept_patterns.py::test_the_responses_of_all_rules_have_one_limit
        pure/tools/test_states.py::test_the_states_of_all_clients_of_an_owner_are_limited_together
        """,
    ),
    _row(
        "1D",
        "Many small requests of one owner",
        """
        loop/corridor/test_outbox.py::test_few_messages_of_an_owner_are_read_in_one_turn_of_the_loop
        loop/corridor/test_connection.py::test_clients_of_an_owner_that_leave_together_stop_few_requests_in_a_turn_of_the_loop
        pure/server/test_live_access.py::test_a_flood_of_commands_leaves_turns_of_the_loop_to_others
        pure/server/test_live_access.py::test_few_answers_of_a_person_are_under_way
        """,
    ),
    _row(
        "1D",
        "One owner's requests in all places of the queue of a full server",
        """
        loop/corridor/test_admission.py::test_owners_are_let_in_in_turn
        loop/corridor/test_admission.py::test_an_owner_that_fills_the_queue_makes_way_for_another
        """,
    ),
    _row(
        "1D",
        "Traces that fill the disk",
        """
        browser/page/test_tracing.py::test_a_page_does_not_fill_the_disk_through_a_trace
        browser/page/test_tracing.py::test_what_a_trace_has_recorded_is_deleted_with_its_context
        pure/policy/test_trace_redaction.py::test_a_long_snapshot_is_searched_in_steps_and_no_field_is_missed_between_them
        """,
    ),
    _row(
        "1D",
        "Saved sessions without end",
        """
        loop/fleet/test_shared_store.py::test_an_owner_that_fills_the_store_loses_its_own_oldest_sessions_only
        loop/fleet/test_shared_store.py::test_an_owner_of_running_sessions_that_have_its_share_is_refused_more
        loop/sessions/test_store.py::test_one_owner_does_not_use_up_what_there_is_for_all
        """,
    ),
    _row(
        "1D",
        "A page that stores more than a saved session may have",
        """
        loop/sessions/test_store.py::test_of_a_snapshot_that_is_too_large_the_sites_with_the_most_are_left_out
        """,
    ),
    _row(
        "1D",
        "Saves of one owner before those of others",
        """
        loop/sessions/test_store.py::test_sessions_are_saved_one_by_one_and_owner_by_owner
        loop/sessions/test_store.py::test_who_has_the_most_ended_sessions_loses_the_oldest
        """,
    ),
    _row(
        "1D",
        "Slowloris",
        """
        loop/gate/test_crowds.py::test_two_hundred_half_heads_hold_nobody_up
        loop/gate/test_crowds.py::test_connections_without_a_head_leave_descriptors_to_others
        loop/gate/test_gate.py::test_a_bad_handshake_is_refused_and_hurts_nobody
        """,
    ),
    _row(
        "1D",
        "Many pages, popups",
        """
        browser/security/test_hostile_pages.py::test_a_thousand_windows
        browser/security/test_token_policies.py::test_all_clients_of_a_token_share_its_pages
        browser/server/test_load.py::test_a_full_server_sends_new_clients_away_and_keeps_the_old
        browser/server/test_load.py::test_above_the_memory_limit_there_are_no_new_pages
        browser/server/test_load.py::test_a_page_that_a_page_opens_counts_for_all
        browser/security/test_hostile_pages.py::test_windows_beyond_the_limit_are_closed_and_reported
        browser/page/test_pages.py::test_the_number_of_pages_is_limited
        browser/security/test_token_policies.py::test_a_token_s_limits_are_announced_and_hold
        """,
    ),
    _row(
        "1D",
        "Dialog storms",
        """
        browser/security/test_hostile_pages.py::test_dialogs_in_a_loop
        browser/security/test_hostile_pages.py::test_dialogs_on_the_way_out
        """,
    ),
    _row(
        "1D",
        "Infinite JS",
        """
        browser/security/test_hostile_pages.py::test_a_script_that_never_ends_as_the_page_loads
        browser/security/test_hostile_pages.py::test_a_page_that_never_answers
        """,
    ),
    _row(
        "1D",
        "Result bombs",
        """
        browser/observe/test_content.py::test_too_large_content_is_measured_in_the_page
        browser/page/test_scripts.py::test_a_value_is_measured_in_the_page
        browser/page/test_pages.py::test_a_long_title_is_cut_in_the_page
        browser/observe/test_accessibility.py::test_a_small_page_with_a_huge_tree_is_refused_before_the_browser_describes_it
        browser/recorder/test_fork.py::test_a_value_that_contains_itself_ends_nobodys_browser
        pure/browser/test_driver_pipe.py::test_an_answer_beyond_the_limit_is_an_error_and_its_neighbours_pass
        pure/browser/test_driver_pipe.py::test_an_event_beyond_the_limit_is_empty_but_the_creation_of_an_object_is_not
        pure/browser/test_driver_pipe.py::test_long_texts_that_playwright_would_keep_are_cut
        browser/engine/test_vendor.py::test_an_answer_beyond_the_limit_is_refused_and_the_page_goes_on
        """,
    ),
    _row(
        "1D",
        "Event floods",
        """
        browser/events/test_event_floods.py::test_a_page_that_floods_its_driver_is_closed_with_the_reason
        pure/browser/test_driver_pipe.py::test_a_page_floods_that_exceeds_a_limit_second_after_second
        pure/browser/test_driver_pipe.py::test_the_pipe_of_an_engine_is_slowed_only_beside_others_and_only_for_its_events
        pure/browser/test_unblocking.py::test_a_page_is_not_given_up_while_its_driver_or_the_loop_is_slow
        """,
    ),
    _row(
        "1D",
        "Floods where Linux shares the processor between sessions",
        """
        browser/engine/test_launch.py::test_a_browser_yields_to_the_server_while_others_run_and_more_while_it_floods
        """,
    ),
    _row(
        "1D",
        "Floods that take the processor",
        """
        browser/engine/test_launch.py::test_a_browser_that_floods_beside_others_gets_half_of_the_processors
        """,
    ),
    _row(
        "1D",
        "One owner's crash, hang or copied text",
        """
        browser/engine/test_pool.py::test_a_crash_of_one_owners_browser_leaves_another_owners_page_alone
        browser/engine/test_pool.py::test_what_one_owner_copies_no_other_owner_can_paste
        browser/engine/test_clipboards.py::test_each_session_pastes_what_it_has_copied
        browser/engine/test_clipboards.py::test_what_pages_copy_by_themselves_is_kept_apart
        browser/engine/test_clipboards.py::test_a_page_that_prevents_copies_gets_no_text_of_another_session
        browser/engine/test_pool.py::test_clients_of_one_owner_share_an_engine
        browser/engine/test_pool.py::test_the_isolation_decides_how_many_browsers_clients_share
        browser/engine/test_pool.py::test_an_owner_for_whom_there_is_no_engine_in_time_is_refused
        browser/engine/test_pool.py::test_without_memory_for_another_engine_an_owner_is_refused
        """,
    ),
    _row(
        "1D",
        "Work that grows with a request",
        """
        pure/test_long_work.py::test_marks_and_long_looks_use_the_threads_of_their_engine
        browser/security/test_loop_holds.py::test_the_largest_schema_holds_no_loop
        pure/tools/test_find.py::test_long_words_are_refused
        pure/tools/test_arguments.py::test_a_wrong_argument_is_named
        browser/security/test_loop_holds.py::test_a_schema_of_seven_megabytes_is_refused_before_it_is_read
        browser/security/test_loop_holds.py::test_the_longest_description_holds_no_loop
        browser/security/test_loop_holds.py::test_a_description_of_ten_thousand_characters_is_refused
        browser/security/test_loop_holds.py::test_a_page_full_of_backslashes_holds_no_loop
        browser/security/test_loop_holds.py::test_no_method_holds_a_loop_with_the_largest_params_that_it_accepts
        browser/security/test_loop_holds.py::test_a_page_with_a_long_name_for_its_values_holds_no_loop
        browser/security/test_loop_holds.py::test_a_table_of_many_cells_does_not_hold_the_browser_thread
        browser/security/test_loop_holds.py::test_a_large_accessibility_tree_does_not_hold_the_browser_thread
        pure/extraction/test_words.py::test_the_words_of_a_text_of_a_page_take_bounded_work
        browser/security/test_loop_holds.py::test_the_longest_text_for_a_field_holds_no_loop
        browser/security/test_loop_holds.py::test_the_largest_state_holds_no_loop
        pure/protocol/test_wire.py::test_a_crowded_request_is_refused_by_its_id_and_commas_in_texts_are_no_parts
        pure/policy/test_urls.py::test_a_url_is_checked_up_to_a_length
        pure/policy/test_urls.py::test_a_host_that_takes_long_is_refused_unparsed
        loop/watch/test_loop_instrument.py::test_a_task_holds_the_loop_until_its_next_checkpoint
        pure/browser/test_loop_hold.py::test_a_callback_holds_the_loop_and_a_wait_does_not
        """,
    ),
    _row(
        "1D",
        "URL patterns that take long to match",
        """
        pure/policy/test_globs.py::test_a_hostile_pattern_is_fast
        pure/policy/test_globs.py::test_the_literals_of_a_pattern_are_searched_together_from_each_place
        pure/policy/test_globs.py::test_patterns_match_as_in_playwright
        pure/browser/test_intercept_turns.py::test_a_request_looks_for_its_rule_in_turns_with_others
        """,
    ),
    _row(
        "1D",
        "Screenshots",
        """
        browser/observe/test_screenshots.py::test_a_too_large_screenshot_is_refused
        """,
    ),
    _row(
        "1D",
        "Huge DOM",
        """
        browser/observe/test_accessibility.py::test_a_page_of_too_many_nodes_is_refused_before_the_browser_describes_it
        """,
    ),
    _row(
        "1D",
        "Console flood",
        """
        browser/events/test_event_floods.py::test_a_console_flood_is_limited_counted_and_blocks_no_other_client
        pure/browser/test_vendor.py::test_a_console_message_keeps_a_hundred_arguments_and_results_all
        browser/events/test_event_floods.py::test_a_console_flood_without_a_subscription_blocks_no_other_client
        browser/engine/test_vendor.py::test_arguments_of_console_messages_are_not_kept
        """,
    ),
)
