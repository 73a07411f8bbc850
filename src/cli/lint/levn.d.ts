declare module 'levn' {
  const levn: { parse(type: string, text: string): unknown };
  export default levn;
}
