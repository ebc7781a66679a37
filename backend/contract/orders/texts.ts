import { t } from 'elysia'
import type { Static } from 'elysia'
import { integer, Iso, nullable, PageInfo, stringEnum } from '../schemas.ts'

const Flag = (description: string) => t.Boolean({ description })
const conviction = integer({ minimum: 1, maximum: 10, description: '1 to 10, default 5' })
const priority = integer({
  minimum: 0,
  maximum: 1000,
  description: '0 to 1000, lowest first; default 100',
})

const VIEW = {
  title: t.String({ description: '1 to 200 characters' }),
  text: t.String({ description: 'at most 5000 characters' }),
  category: nullable(t.String({ description: 'at most 40 characters' })),
  tickers: t.Array(t.String(), { description: 'markets that it is about, at most 50' }),
  direction: nullable(stringEnum(['yes', 'no'])),
  conviction,
  horizon: nullable(t.String({ description: 'last day of its use, YYYY-MM-DD' })),
  thesisId: nullable(t.String({ description: 'own thesis that it belongs to' })),
  active: Flag('false while it is not used'),
}
const STRATEGY = {
  name: t.String({ description: '1 to 120 characters' }),
  text: t.String({ description: '1 to 5000 characters' }),
  priority,
  enabled: Flag('false while it is not used'),
}
const ROW = {
  userId: t.String({ description: 'its owner' }),
  createdAt: Iso,
  updatedAt: Iso,
}
const ViewRowId = t.String({ description: 'id of the view, vw_…' })
const StrategyRowId = t.String({ description: 'id of the strategy, ps_…' })

/** A view: an expectation of a user about markets. */
export const PortfolioView = t.Object({ id: ViewRowId, ...VIEW, ...ROW })
export type PortfolioView = Static<typeof PortfolioView>
/** A rule in words that a user trades by. */
export const PortfolioStrategy = t.Object({ id: StrategyRowId, ...STRATEGY, ...ROW })
export type PortfolioStrategy = Static<typeof PortfolioStrategy>

const { title: viewTitle, ...viewRest } = VIEW
export const NewPortfolioView = t.Object({
  title: viewTitle,
  ...t.Partial(t.Object(viewRest)).properties,
})
export const PortfolioViewChange = t.Object({
  id: ViewRowId,
  ...t.Partial(t.Object(VIEW)).properties,
})
const { name: strategyName, text: strategyText, ...strategyRest } = STRATEGY
export const NewPortfolioStrategy = t.Object({
  name: strategyName,
  text: strategyText,
  ...t.Partial(t.Object(strategyRest)).properties,
})
export const PortfolioStrategyChange = t.Object({
  id: StrategyRowId,
  ...t.Partial(t.Object(STRATEGY)).properties,
})
export const PortfolioTextId = t.Object({
  id: t.Optional(t.String({ description: 'id of the row; may also be sent as the query' })),
})

/** Views, highest conviction first; `views` is the same list. */
export const PortfolioViewPage = t.Object({
  data: t.Array(PortfolioView),
  views: t.Array(PortfolioView),
  pageInfo: PageInfo,
})
export type PortfolioViewPage = Static<typeof PortfolioViewPage>
/** Strategies, lowest priority number first; `strategies` is the same list. */
export const PortfolioStrategyPage = t.Object({
  data: t.Array(PortfolioStrategy),
  strategies: t.Array(PortfolioStrategy),
  pageInfo: PageInfo,
})
export type PortfolioStrategyPage = Static<typeof PortfolioStrategyPage>
export const PortfolioTextRemoved = t.Object({ ok: t.Literal(true) })
