/** A text answer in markdown. */
export const markdownAnswer = (text: string): Response =>
  new Response(text, { headers: { 'content-type': 'text/markdown; charset=utf-8' } })
