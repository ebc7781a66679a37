/** A text response with its headers. */
export const textAnswer = (
  text: string,
  headers: Readonly<Record<string, string>> = {},
  type = 'text/markdown; charset=utf-8',
): Response => new Response(text, { headers: { ...headers, 'content-type': type } })
