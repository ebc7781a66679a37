import { destinationOf } from './navigation.ts'

/** Name of windows that the page opens for one pane, with a number. */
const POP_OUT = /^augury-pane-[\w-]{1,64}$/
const SIZE = { width: 720, height: 540 } as const
const MIN_SIZE = { width: 320, height: 240 } as const
const MAX_SIDE = 8_192
const MAX_WINDOWS = 12

export interface WindowRequest {
  readonly url: string
  readonly frameName: string
  /** As given to `window.open`: `popup,width=720,height=540`. */
  readonly features: string
}

export type WindowDecision =
  | { readonly kind: 'pane'; readonly width: number; readonly height: number }
  | { readonly kind: 'browser' }
  | { readonly kind: 'nowhere' }

function numberOf(features: string, name: keyof typeof SIZE): number {
  const found = new RegExp(`(?:^|,)\\s*${name}=(\\d{1,5})(?:,|$)`).exec(features)?.[1]
  const length = found === undefined ? SIZE[name] : Number(found)
  return Math.min(MAX_SIDE, Math.max(MIN_SIZE[name], length))
}

/**
 * Decides how a window requested by the page opens: as a pane window, in the user's browser, or
 * not at all.
 */
export function decideWindow(
  { url, frameName, features }: WindowRequest,
  appOrigin: string,
  openWindows: number,
): WindowDecision {
  const destination = destinationOf(url, appOrigin)
  if (destination === 'browser') return { kind: 'browser' }
  if (destination !== 'inside' || !POP_OUT.test(frameName)) return { kind: 'nowhere' }
  if (openWindows >= MAX_WINDOWS) return { kind: 'nowhere' }
  return {
    kind: 'pane',
    width: numberOf(features, 'width'),
    height: numberOf(features, 'height'),
  }
}
