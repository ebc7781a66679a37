import { getContext, type Component } from 'svelte'
import type { Pane } from './pane.svelte.ts'
import type { Terminal } from './terminal.svelte.ts'

type Frame = Component<{ terminal: Terminal; pane: Pane }>

const FRAME = Symbol('frame')

/** Tells the parts of a mounted pane what draws a pane, so that a pane may hold others. */
export const framing = (frame: Frame): Map<symbol, Frame> => new Map([[FRAME, frame]])

/** What draws a pane. To be called while a component is made. @throws Error outside the dock */
export function paneFrame(): Frame {
  const frame = getContext<Frame | undefined>(FRAME)
  if (frame === undefined) throw new Error('No frame was given to this pane')
  return frame
}
