/** The JSON schemas of HAR 1.2, by name; the package brings no types. */
declare module 'har-schema' {
  const schemas: Record<string, object>;
  export default schemas;
}
