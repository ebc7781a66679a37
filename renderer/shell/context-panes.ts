import type { Component } from 'svelte'
import type { Verb } from './command-spec.ts'
import type { Pane } from './pane.svelte.ts'
import type { Terminal } from './terminal.svelte.ts'

type Fetched = () => Promise<{ readonly default: Component<{ terminal: Terminal; pane: Pane }> }>

/** Panes of what prices imply, fetched when first opened. */
export const CONTEXT_PANES: Readonly<Partial<Record<Verb, Fetched>>> = {
  XV: () => import('../panes/crossvenue/PairPane.svelte'),
  CONT: () => import('../panes/structure/ContagionPane.svelte'),
  XVP: () => import('../panes/crossvenue/PairsPane.svelte'),
  EDGE: () => import('../panes/edges/EdgesPane.svelte'),
  IDEA: () => import('../panes/edges/IdeasPane.svelte'),
  HIGH: () => import('../panes/edges/HighlightsPane.svelte'),
  YC: () => import('../panes/structure/CurvesPane.svelte'),
  ODDS: () => import('../panes/structure/OddsPane.svelte'),
  CALIB: () => import('../panes/structure/CalibrationPane.svelte'),
  LIQ: () => import('../panes/structure/LiquidityPane.svelte'),
  CAL: () => import('../panes/answers/CalendarPane.svelte'),
  BRIEF: () => import('../panes/answers/BriefingPane.svelte'),
  ASK: () => import('../panes/answers/AnswerPane.svelte'),
}
