import { Elysia, t } from 'elysia'
import { failures, responses } from '../../contract/schemas.ts'
import { tickerInSlug } from '../../domain/topics/topics.ts'
import { adapter } from '../../http/adapter.ts'
import { terminalUrl } from '../../http/next-actions.ts'
import { routePolicies } from '../../http/routes/route-policies.ts'
import { NotFound } from '../../lib/errors.ts'
import type { MarketsDeps } from './markets.deps.ts'

/**
 * Addresses of market pages (`pageUrl`): each opens the terminal with the details of its market.
 * The title in the slug is for readers only; the ticker at its end decides.
 */
export const marketPageRoutes = ({ board, urls }: Pick<MarketsDeps, 'board' | 'urls'>) =>
  new Elysia({ adapter }).use(routePolicies).get(
    '/markets/:slug',
    async ({ params }) => {
      const ticker = tickerInSlug(params.slug)
      const view = ticker === null ? null : await board.market(ticker, null)
      if (view === null) throw new NotFound('Market not found')
      const location = terminalUrl(urls, `$${view.facts.ticker} DES`)
      return new Response(null, { status: 302, headers: { location } })
    },
    {
      params: t.Object({ slug: t.String() }),
      auth: 'none',
      cache: 'no-store',
      response: responses(failures(404, 429)),
      detail: { hide: true },
    },
  )
