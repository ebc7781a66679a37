export type Destination = 'inside' | 'browser' | 'nowhere'

/** Where a clicked or redirected address may open. Unrecognised addresses are refused. */
export function destinationOf(address: string, appOrigin: string): Destination {
  const url = URL.parse(address)
  if (url === null) return 'nowhere'
  // appOrigin is the backend's address
  if (`${url.protocol}//${url.host}` === appOrigin) return 'inside'
  return url.protocol === 'https:' ? 'browser' : 'nowhere'
}

/** Whether a message comes from our page: its top frame, at our address. */
export const isFromPage = (
  frame: { readonly url: string; readonly parent: unknown } | null,
  appOrigin: string,
): boolean =>
  frame !== null && frame.parent === null && destinationOf(frame.url, appOrigin) === 'inside'
