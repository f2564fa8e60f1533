"""Each row of the fault matrix (docs/security.md, 3.4), and the tests that provoke the fault."""

import attrs


@attrs.frozen
class Fault:
    """One row: its number, the fault as it stands there, and the tests."""

    number: int
    what: str
    tests: tuple[str, ...]
    script: str | None = None
    """What does it at full length; its short form runs with the tests."""


def _row(number: int, what: str, tests: str, script: str | None = None) -> Fault:
    return Fault(number, what, tuple(tests.split()), script)


FAULTS = (
    _row(
        1,
        "browser `kill -9`",
        """
        browser/faults/test_fault_browser.py::test_a_killed_process_fails_what_runs_and_is_replaced
        browser/faults/test_fault_browser.py::test_pages_that_are_created_meanwhile_are_answered_each_and_permit_a_retry
        """,
    ),
    _row(
        2,
        "renderer crash",
        """
        browser/faults/test_fault_pages.py::test_a_page_that_crashes
        browser/faults/test_fault_pages.py::test_a_page_that_has_crashed_goes_on_in_a_new_process
        browser/faults/test_fault_restarts.py::test_a_page_that_is_closed_while_it_is_revived_stays_closed
        browser/faults/test_playwright_errors.py::test_page_that_crashes
        """,
    ),
    _row(3, "page OOM", "browser/faults/test_fault_pages.py::test_a_page_that_crashes"),
    _row(
        4,
        "driver `kill -9`",
        """
        browser/faults/test_fault_browser.py::test_pages_that_are_created_meanwhile_are_answered_each_and_permit_a_retry
        pure/browser/test_background_tasks.py::test_a_creation_that_waits_for_a_lost_browser_ends_and_releases_its_lock
        browser/faults/test_fault_browser.py::test_a_killed_process_fails_what_runs_and_is_replaced
        browser/faults/test_fault_browser.py::test_health_says_that_the_browser_is_gone
        """,
    ),
    _row(
        5,
        "driver dies 6 times",
        """
        browser/faults/test_fault_browser.py::test_a_driver_that_dies_again_and_again_is_left_alone_until_somebody_asks
        browser/faults/test_fault_browser.py::test_a_browser_left_alone_is_tried_again_after_a_while
        browser/faults/test_fault_browser.py::test_the_first_failure_costs_no_pause_and_the_fifth_the_longest
        """,
    ),
    _row(
        6,
        "browser SIGSTOP",
        """
        browser/faults/test_fault_browser.py::test_a_stopped_process_is_found_out_and_replaced
        browser/faults/test_fault_browser.py::test_a_request_to_a_stopped_browser_ends_at_its_deadline_and_the_server_in_time
        browser/faults/test_fault_pages.py::test_a_page_whose_process_is_stopped_is_given_up
        browser/engine/test_engine_life.py::test_close_kills_stopped_processes
        browser/faults/test_fault_restarts.py::test_a_browser_that_hangs_as_it_is_retired_is_killed
        browser/faults/test_fault_restarts.py::test_what_hangs_as_the_browser_is_tried_is_killed
        """,
    ),
    _row(
        7,
        "evaluate `while(1)`",
        """
        browser/faults/test_fault_pages.py::test_a_script_that_spins
        browser/page/test_scripts.py::test_a_script_without_end_is_ended_at_its_deadline
        browser/page/test_scripts.py::test_a_script_without_end_in_a_frame_is_ended
        """,
    ),
    _row(
        8,
        "page script `for(;;)` at load",
        """
        browser/security/test_hostile_pages.py::test_a_script_that_never_ends_as_the_page_loads
        browser/faults/test_fault_pages.py::test_a_page_that_spins_as_it_loads_can_be_closed
        """,
    ),
    _row(
        9,
        "silent server",
        """
        browser/faults/test_fault_pages.py::test_a_silent_server
        browser/security/test_hostile_pages.py::test_a_page_that_never_arrives
        """,
    ),
    _row(
        10,
        "dialog open",
        """
        browser/faults/test_fault_pages.py::test_a_dialog_that_nobody_handles
        browser/page/test_dialogs.py::test_an_unanswered_dialog_is_dismissed_and_waiting_requests_continue
        """,
    ),
    _row(
        11,
        "client drops mid-request",
        """
        browser/faults/test_fault_clients.py::test_a_client_that_drops_has_its_work_stopped
        loop/sessions/test_sessions.py::test_what_is_in_flight_stops_when_its_connection_is_lost
        browser/sessions/test_sessions.py::test_a_click_is_neither_done_twice_nor_after_its_loss
        loop/corridor/test_connection.py::test_a_client_that_leaves_has_its_requests_stopped
        """,
    ),
    _row(
        12,
        "client never reads",
        """
        loop/gate/test_floods.py::test_a_client_that_never_reads_is_dropped
        loop/gate/test_floods.py::test_a_client_that_never_reads_does_not_hold_up_the_end
        """,
    ),
    _row(
        13,
        "client stalls mid-frame",
        "loop/gate/test_socket_close.py::test_a_peer_that_stalls_inside_a_frame_is_dropped",
    ),
    _row(
        14,
        "64 in flight, SIGTERM",
        """
        browser/faults/test_fault_shutdown.py::test_all_that_is_in_flight_is_answered_when_the_whole_group_is_told_to_end
        """,
    ),
    _row(
        15,
        "SIGTERM with stuck reader",
        """
        browser/faults/test_fault_shutdown.py::test_the_end_comes_in_time_whatever_hangs
        browser/faults/test_fault_shutdown.py::test_a_second_signal_spares_no_browser_that_is_stopped
        browser/faults/test_fault_shutdown.py::test_a_signal_while_it_starts_ends_it
        browser/server/test_cli_serve.py::test_a_shutdown_that_takes_too_long_is_cut_short
        """,
    ),
    _row(
        16,
        "SIGINT to the process group",
        """
        browser/faults/test_fault_shutdown.py::test_all_that_is_in_flight_is_answered_when_the_whole_group_is_told_to_end
        browser/server/test_cli_serve.py::test_a_request_under_way_is_finished_also_when_the_whole_group_is_told
        """,
    ),
    _row(
        17,
        "server `kill -9`",
        """
        browser/faults/test_fault_shutdown.py::test_a_killed_server_leaves_nothing_and_what_is_stopped_the_next_one_ends
        browser/engine/test_launch.py::test_nothing_outlives_us_when_we_are_killed
        pure/browser/test_driver_dirs.py::test_leftovers_of_a_dead_server_are_killed_and_removed
        pure/browser/test_driver_dirs.py::test_a_process_that_only_has_the_number_is_spared
        """,
    ),
    _row(18, "port in use", "browser/server/test_cli_serve.py::test_a_port_in_use_is_one_line"),
    _row(
        19,
        "browser missing",
        """
        browser/server/test_cli_serve.py::test_without_a_browser_there_is_no_server
        browser/server/test_cli_serve.py::test_a_browser_that_does_not_start_is_found_out_by_doctor
        browser/engine/test_launch.py::test_browser_that_ends_at_once_leaves_its_last_words
        browser/engine/test_launch.py::test_browser_that_is_not_executable
        browser/engine/test_launch.py::test_missing_browser_is_reported_at_once
        """,
    ),
    _row(
        20,
        "worker thread dies",
        """
        browser/faults/test_fault_thread.py::test_a_thread_that_dies_is_replaced
        browser/faults/test_fault_thread.py::test_a_thread_that_can_not_be_replaced_ends_the_server
        loop/browser/test_portal.py::test_the_death_of_the_thread_fails_parked_and_later_calls_at_once
        loop/watch/test_supervisor.py::test_a_thread_in_which_no_browser_can_be_had_at_first_is_kept
        loop/watch/test_supervisor.py::test_a_thread_that_dies_again_and_again_is_replaced_ever_later_and_then_given_up
        """,
    ),
    _row(
        21,
        "worker thread blocked",
        "browser/faults/test_fault_thread.py::test_a_thread_that_stands_still_is_told_on_once_and_recovers",
    ),
    _row(
        22,
        "listener raises",
        """
        browser/faults/test_fault_thread.py::test_a_listener_that_raises_is_logged_and_hurts_no_request
        browser/engine/test_engine_life.py::test_listener_that_raises_hurts_nobody
        """,
    ),
    _row(
        23,
        "cancel during launch",
        """
        browser/engine/test_engine_life.py::test_cancelled_launch_leaves_nothing
        browser/faults/test_fault_clients.py::test_a_page_whose_making_is_cancelled_is_not_left
        browser/sessions/test_contexts.py::test_a_cancelled_creation_leaves_nothing
        """,
    ),
    _row(
        24,
        "cancel during click/type",
        """
        browser/act/test_cancelled_actions.py::test_a_click_that_is_given_up_has_happened_or_never_does
        browser/act/test_cancelled_actions.py::test_an_element_that_comes_too_late_is_left_alone
        """,
    ),
    _row(
        25,
        "exception in one connection task",
        """
        loop/gate/test_gate.py::test_a_handler_that_raises_hurts_nobody
        loop/gate/test_gate.py::test_a_bad_handshake_is_refused_and_hurts_nobody
        """,
    ),
    _row(
        26,
        "fd exhaustion",
        """
        browser/faults/test_fault_load.py::test_running_out_of_descriptors_is_survived
        loop/gate/test_gate.py::test_running_out_of_descriptors_is_survived
        loop/watch/test_housekeeping.py::test_without_descriptors_what_was_measured_last_holds
        """,
    ),
    _row(
        27,
        "disk full",
        """
        browser/faults/test_fault_load.py::test_without_a_place_for_files_only_what_needs_one_fails
        pure/browser/test_faults.py::test_no_room_for_files
        """,
    ),
    _row(28, "clock jump", "browser/faults/test_fault_load.py::test_a_clock_that_jumps_changes_no_deadline"),
    _row(29, "memory pressure", "browser/server/test_load.py::test_above_the_memory_limit_there_are_no_new_pages"),
    _row(
        30,
        "relaunch after crash",
        "browser/security/test_wall.py::test_the_wall_outlives_the_browser",
    ),
    _row(
        31,
        "1,000 connect/disconnect",
        "browser/faults/test_fault_load.py::test_hundreds_of_clients_come_and_go_and_leave_nothing",
    ),
    _row(32, "8 h soak", "browser/server/test_load.py::test_what_clients_leave_is_nothing", script="soak"),
)
