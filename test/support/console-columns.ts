/** Columns of PgBouncer's console in some of its versions (RowDescription in admin.c and stats.c at their tags). */
export const consoleColumns = {
  '1.7': {
    pools:
      'database user cl_active cl_waiting sv_active sv_idle sv_used sv_tested sv_login maxwait pool_mode',
    stats:
      'database total_requests total_received total_sent total_query_time avg_req avg_recv avg_sent avg_query',
    databases:
      'name host port database force_user pool_size reserve_pool pool_mode max_connections current_connections',
    clients:
      'type user database state addr port local_addr local_port connect_time request_time ptr link remote_pid tls',
    users: 'name pool_mode',
    lists: 'list items',
    config: 'key value changeable',
  },
  '1.8': {
    pools:
      'database user cl_active cl_waiting sv_active sv_idle sv_used sv_tested sv_login maxwait maxwait_us pool_mode',
    stats:
      'database total_xact_count total_query_count total_received total_sent total_xact_time total_query_time total_wait_time avg_xact_count avg_query_count avg_recv avg_sent avg_xact_time avg_query_time avg_wait_time',
    databases:
      'name host port database force_user pool_size reserve_pool pool_mode max_connections current_connections paused disabled',
    clients:
      'type user database state addr port local_addr local_port connect_time request_time wait wait_us ptr link remote_pid tls',
    users: 'name pool_mode',
    lists: 'list items',
    config: 'key value changeable',
  },
  '1.16': {
    pools:
      'database user cl_active cl_waiting cl_cancel_req sv_active sv_idle sv_used sv_tested sv_login maxwait maxwait_us pool_mode',
    stats:
      'database total_xact_count total_query_count total_received total_sent total_xact_time total_query_time total_wait_time avg_xact_count avg_query_count avg_recv avg_sent avg_xact_time avg_query_time avg_wait_time',
    databases:
      'name host port database force_user pool_size min_pool_size reserve_pool pool_mode max_connections current_connections paused disabled',
    clients:
      'type user database state addr port local_addr local_port connect_time request_time wait wait_us close_needed ptr link remote_pid tls',
    users: 'name pool_mode',
    lists: 'list items',
    config: 'key value default changeable',
  },
  '1.18': {
    pools:
      'database user cl_active cl_waiting cl_active_cancel_req cl_waiting_cancel_req sv_active sv_active_cancel sv_being_canceled sv_idle sv_used sv_tested sv_login maxwait maxwait_us pool_mode',
    stats:
      'database total_xact_count total_query_count total_received total_sent total_xact_time total_query_time total_wait_time avg_xact_count avg_query_count avg_recv avg_sent avg_xact_time avg_query_time avg_wait_time',
    databases:
      'name host port database force_user pool_size min_pool_size reserve_pool pool_mode max_connections current_connections paused disabled',
    clients:
      'type user database state addr port local_addr local_port connect_time request_time wait wait_us close_needed ptr link remote_pid tls application_name',
    users: 'name pool_mode',
    lists: 'list items',
    config: 'key value default changeable',
  },
  '1.23': {
    pools:
      'database user cl_active cl_waiting cl_active_cancel_req cl_waiting_cancel_req sv_active sv_active_cancel sv_being_canceled sv_idle sv_used sv_tested sv_login maxwait maxwait_us pool_mode',
    stats:
      'database total_server_assignment_count total_xact_count total_query_count total_received total_sent total_xact_time total_query_time total_wait_time avg_server_assignment_count avg_xact_count avg_query_count avg_recv avg_sent avg_xact_time avg_query_time avg_wait_time',
    databases:
      'name host port database force_user pool_size min_pool_size reserve_pool server_lifetime pool_mode max_connections current_connections paused disabled',
    clients:
      'type user database replication state addr port local_addr local_port connect_time request_time wait wait_us close_needed ptr link remote_pid tls application_name prepared_statements',
    users: 'name pool_size pool_mode max_user_connections current_connections',
    lists: 'list items',
    config: 'key value default changeable',
  },
  '1.25': {
    pools:
      'database user cl_active cl_waiting cl_active_cancel_req cl_waiting_cancel_req sv_active sv_active_cancel sv_being_canceled sv_idle sv_used sv_tested sv_login maxwait maxwait_us pool_mode load_balance_hosts',
    stats:
      'database total_server_assignment_count total_xact_count total_query_count total_received total_sent total_xact_time total_query_time total_wait_time total_client_parse_count total_server_parse_count total_bind_count avg_server_assignment_count avg_xact_count avg_query_count avg_recv avg_sent avg_xact_time avg_query_time avg_wait_time avg_client_parse_count avg_server_parse_count avg_bind_count',
    databases:
      'name host port database force_user pool_size min_pool_size reserve_pool_size server_lifetime pool_mode load_balance_hosts max_connections current_connections max_client_connections current_client_connections paused disabled',
    clients:
      'type user database replication state addr port local_addr local_port connect_time request_time wait wait_us close_needed ptr link remote_pid tls application_name prepared_statements id',
    users:
      'name pool_size reserve_pool_size pool_mode max_user_connections current_connections max_user_client_connections current_client_connections',
    lists: 'list items',
    config: 'key value default changeable',
  },
} as const;
