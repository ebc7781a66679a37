import type { Upcoming } from '../../computed/upcoming.ts'
import { tauDays } from '../../domain/indicators.ts'
import { minuteOf } from '../../domain/world/text.ts'
import { refOf, rounded } from '../../http/market-ref.ts'
import type { Urls } from '../../http/next-actions.ts'
import type { Catalyst } from '../../http/read-schemas.ts'
import { isoOf } from '../../lib/clock.ts'

/** A resolution ahead as lists serve it. */
export const servedCatalyst = (entry: Upcoming, urls: Urls): Catalyst => ({
  id: entry.id,
  kind: 'resolution',
  title: entry.title,
  at: isoOf(entry.at),
  date: isoOf(entry.at).slice(0, 10),
  timeKnown: true,
  category: entry.category,
  tickers: [...entry.tickers],
  importance: entry.importance,
  source: entry.source,
  market: {
    ...refOf(entry.contested, urls),
    tauDays: tauDays(entry.contested.tau) ?? 0,
    volume24h: rounded(entry.contested.volume24h, 6),
  },
})

/** «2026-11-21 13:30 Weekly claims». */
export const upcomingLine = ({ at, title }: Upcoming): string => `${minuteOf(at)} ${title}`
