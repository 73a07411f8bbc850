export const sweepHelp = `
Examples:
  poolguard sweep --start "npm run dev" --url http://localhost:3000/users
  poolguard sweep --start "node server.js" --env DB_POOL_SIZE --sizes 5,10,20 --url http://localhost:3000/users --users 100 --seconds 15
  poolguard sweep --start "node server.js" --url http://localhost:3000/orders --body @order.json --header 'Authorization: Bearer …'
  poolguard sweep --start "npm start" --url http://localhost:3000/users --live --yes --output sweep.html
  poolguard sweep --url http://localhost:3000/users --export k6

The application is started once for each size and pass, with the size in --env, and stopped again with everything that it started. It
must be Node.js with pg or pg-pool: poolguard-monitor, loaded through NODE_OPTIONS, tells its queue, waits and holds. Nothing has to be
installed or changed in it, except that it reads the variable: new Pool({ max: Number(process.env.POOL_MAX ?? 10) }).

Each user asks, waits for the answer, pauses for --think, and asks again. The table has requests, average, p95, the longest queue, and
what each further connection brought. The verdict says when the application's event loop, this machine or the load itself is the limit,
when even the largest size is not enough, when passes differ more than sizes, and when the size is not read. With --database the sessions and limits of the server stand beside.

Exit codes: 0 a size was found or sizes make no difference, 1 partial or no size can be named, 2 could not run, 130 cancelled.
`;
