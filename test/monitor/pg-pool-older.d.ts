declare module 'pg-pool-older' {
  const OlderPool: unknown;
  export default OlderPool;
}
