/** What tests use of the parser. Its own types accept no document of another type. */
declare module '@readme/openapi-parser' {
  export function validate(document: object): Promise<{ readonly valid: boolean }>
}
