/** A markdown response. */
export const markdownAnswer = (text: string): Response =>
  new Response(text, { headers: { 'content-type': 'text/markdown; charset=utf-8' } })
