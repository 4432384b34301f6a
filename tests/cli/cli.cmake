# The tests of `gapless`: its parts, then the program itself.
gapless_add_tests(cli_unit_tests
    LABELS unit
    LIBRARIES gapless_cli
    SOURCES
        cli_argument_test.cpp
        cli_completion_test.cpp
        cli_move_proof_test.cpp
        cli_output_test.cpp)

gapless_add_tests(cli_process_tests
    SHARDS 8
    LABELS process
    LIBRARIES gapless_test_database gapless_test_json gapless_reserve nlohmann_json::nlohmann_json
    SOURCES
        cli_anchor_test.cpp
        cli_block_life_test.cpp
        cli_block_load_test.cpp
        cli_block_queue_test.cpp
        cli_epoch_test.cpp
        cli_exit_code_test.cpp
        cli_format_test.cpp
        cli_issuance_test.cpp
        cli_hold_list_test.cpp
        cli_issue_test.cpp
        cli_lease_test.cpp
        cli_metrics_file_test.cpp
        cli_migrate_test.cpp
        cli_notice_follow_test.cpp
        cli_notice_test.cpp
        cli_number_test.cpp
        cli_program.cpp
        cli_program_test.cpp
        cli_proposal_test.cpp
        cli_question_test.cpp
        cli_reconcile_test.cpp
        cli_series_test.cpp
        cli_token_test.cpp
        cli_webhook_test.cpp)
add_dependencies(cli_process_tests gapless)
