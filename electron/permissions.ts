/** Chromium permissions that the page may request, with reasons. All others are refused. */
const ALLOWED: Readonly<Record<string, string>> = {
  media: 'dictation into the command bar; sound only, see below',
  notifications: 'alerts that the user has set',
  'clipboard-sanitized-write': 'copying results and commands',
  fullscreen: 'a maximised chart',
}

export interface PermissionRequest {
  readonly permission: string
  /** Address of the requesting frame. */
  readonly from: string
  /** Requested kinds of media; empty or absent when the request is not about media. */
  readonly mediaTypes?: readonly string[]
}

/** Whether the page gets a permission: requested by our page, listed, and never the camera. */
export function mayUse(request: PermissionRequest, appOrigin: string): boolean {
  if (URL.parse(request.from)?.origin !== appOrigin) return false
  if (!Object.hasOwn(ALLOWED, request.permission)) return false
  if (request.permission !== 'media') return true
  const kinds = request.mediaTypes ?? []
  return kinds.length > 0 && kinds.every((kind) => kind === 'audio')
}
