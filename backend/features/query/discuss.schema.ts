import { t } from 'elysia'
import type { Static } from 'elysia'
import { MarketRef } from '../../http/market-ref.ts'
import { nullable, words } from '../../http/schemas.ts'
import { InvalidInput } from '../../lib/errors.ts'
import { MODEL_TIERS } from '../../lib/language-model.ts'
import type { ModelTier } from '../../lib/language-model.ts'

const LONGEST_TEXT = 2_000
const MOST_TICKERS = 10
const PERSPECTIVES = { default: 3, min: 2, max: 5 } as const

/** What a discussion is about. */
export interface Discussed {
  readonly question: string | null
  readonly tickers: readonly string[]
  readonly model: ModelTier
  readonly perspectives: number
}

/** The body as documented; `discussedIn` checks it in the order of the interface. */
export const DiscussBody = t.Object(
  {
    question: t.Optional(t.String()),
    q: t.Optional(t.String({ description: 'read as question' })),
    topic: t.Optional(t.String()),
    ticker: t.Optional(t.String()),
    tickers: t.Optional(t.Array(t.String())),
    model: t.Optional(t.String()),
    perspectives: t.Optional(t.Number()),
  },
  { additionalProperties: true },
)
export type DiscussBody = Static<typeof DiscussBody>

const textIn = (value: string | undefined, name: string): string | null => {
  const text = value?.trim() ?? ''
  if (text.length > LONGEST_TEXT) {
    throw new InvalidInput(`${name} must have at most ${LONGEST_TEXT} characters`)
  }
  return text === '' ? null : text
}

/** The tier that a body names. @throws InvalidInput */
export function tierIn(value: string | undefined): ModelTier {
  const word = value?.trim().toLowerCase() ?? 'cheap'
  const tier = MODEL_TIERS.find((known) => known === word)
  if (tier === undefined) throw new InvalidInput('model must be cheap, medium or heavy')
  return tier
}

/** @throws InvalidInput for a body that names nothing, or too much */
export function discussedIn(body: DiscussBody): Discussed {
  const question = textIn(body.question, 'question') ?? textIn(body.q, 'q')
  const topic = textIn(body.topic, 'topic')
  const ticker = textIn(body.ticker, 'ticker')
  const named = (body.tickers ?? []).flatMap((text) => textIn(text, 'tickers') ?? [])
  const tickers = [...new Set([...(ticker === null ? [] : [ticker]), ...named])]
  if (question === null && topic === null && tickers.length === 0) {
    throw new InvalidInput('question, topic or ticker required')
  }
  if (named.length > MOST_TICKERS) {
    throw new InvalidInput(`tickers must have at most ${MOST_TICKERS} entries`)
  }
  const { perspectives = PERSPECTIVES.default } = body
  if (
    !Number.isInteger(perspectives) ||
    perspectives < PERSPECTIVES.min ||
    perspectives > PERSPECTIVES.max
  ) {
    throw new InvalidInput(
      `perspectives must be an integer from ${PERSPECTIVES.min} to ${PERSPECTIVES.max}`,
    )
  }
  return { question: question ?? topic, tickers, model: tierIn(body.model), perspectives }
}

export const Discussion = t.Object({
  question: t.String(),
  perspectives: t.Array(
    t.Object({
      role: t.String(),
      stance: words(['yes', 'no', 'uncertain']),
      argument: t.String(),
      evidence: t.Array(t.String()),
    }),
  ),
  synthesis: t.String(),
  disagreements: t.Array(t.String()),
  markets: t.Array(MarketRef),
  meta: t.Object({
    model: nullable(t.String()),
    synthesis: words(['model', 'template']),
    latencyMs: t.Number(),
  }),
})
export type Discussion = Static<typeof Discussion>
