import { largest } from '../../domain/world/top-rows.ts'
import type { BoardView, MarketView } from './market-board.ts'

const OPEN = new Set(['active'] as const)

/** The open market with the most dollars traded in 24 hours; null without open markets. */
export const mostTraded = (view: BoardView): MarketView | null =>
  largest(
    view.list(OPEN),
    1,
    ({ volume24hUsd }) => volume24hUsd ?? 0,
    ({ facts }) => facts.ticker,
  )[0] ?? null
