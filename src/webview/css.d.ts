declare module '*.css' {
  /** The sheet as text: esbuild's `text` loader. */
  const text: string;
  export default text;
}
