/** A write as its `Idempotency-Key` identifies it. */
export const repeatable = (request: Request, userId: string, body: unknown) => {
  const { pathname, search } = new URL(request.url)
  return {
    userId,
    route: `${request.method} ${pathname}${search}`,
    key: request.headers.get('idempotency-key'),
    body,
  }
}
