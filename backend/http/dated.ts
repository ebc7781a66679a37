/**
 * Sets `Last-Modified` to the time of the newest data of an answer and returns the answer.
 * @param times ISO times of the data served; none leaves the header out
 */
export function dated<Body>(
  set: { readonly headers: Record<string, string | number> },
  body: Body,
  times: (body: Body) => readonly string[],
): Body {
  const newest = times(body).reduce((latest, time) => (time > latest ? time : latest), '')
  if (newest !== '') set.headers['last-modified'] = new Date(newest).toUTCString()
  return body
}

/** Times of the quotes of a list of markets. */
export const rowTimes = (rows: readonly { readonly updatedAt: string }[]): string[] =>
  rows.map(({ updatedAt }) => updatedAt)
