/**
 * Sets `Last-Modified` to the time of the newest data in a body and returns the body.
 * @param times ISO times of the data; an empty list leaves the header out
 */
export function withLastModified<Body>(
  set: { readonly headers: Record<string, string | number> },
  body: Body,
  times: (body: Body) => readonly string[],
): Body {
  const newest = times(body).reduce((latest, time) => (time > latest ? time : latest), '')
  if (newest !== '') set.headers['last-modified'] = new Date(newest).toUTCString()
  return body
}

/** Quote times of a list of markets. */
export const rowTimes = (rows: readonly { readonly updatedAt: string }[]): string[] =>
  rows.map(({ updatedAt }) => updatedAt)
