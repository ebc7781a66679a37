import { getContext, type Component } from 'svelte'
import type { Pane } from './pane.svelte.ts'
import type { Terminal } from '../terminal.svelte.ts'

type Frame = Component<{ terminal: Terminal; pane: Pane }>

const FRAME = Symbol('frame')

/**
 * Provides the renderer of panes to the parts of a mounted pane, so that a pane may contain others.
 */
export const frameContext = (frame: Frame): Map<symbol, Frame> => new Map([[FRAME, frame]])

/**
 * The renderer of panes. Call it during a component's initialisation. @throws Error outside the
 * dock
 */
export function paneFrame(): Frame {
  const frame = getContext<Frame | undefined>(FRAME)
  if (frame === undefined) throw new Error('No frame was given to this pane')
  return frame
}
