import type { DiscussBody } from '../../contract/query.ts'
import { MAX_TEXT_LENGTH, MAX_TICKERS, PERSPECTIVES } from '../../contract/query.ts'
import { InvalidInput } from '../../lib/errors.ts'
import { MODEL_TIERS } from '../../lib/language-model.ts'
import type { ModelTier } from '../../lib/language-model.ts'

/** The subject of a discussion. */
export interface DiscussionSubjects {
  readonly question: string | null
  readonly tickers: readonly string[]
  readonly model: ModelTier
  readonly perspectives: number
}

const textIn = (value: string | undefined, name: string): string | null => {
  const text = value?.trim() ?? ''
  if (text.length > MAX_TEXT_LENGTH) {
    throw new InvalidInput(`${name} must have at most ${MAX_TEXT_LENGTH} characters`)
  }
  return text === '' ? null : text
}

/** The model tier named in a body. @throws InvalidInput */
export function tierIn(value: string | undefined): ModelTier {
  const tierName = value?.trim().toLowerCase() ?? 'cheap'
  const tier = MODEL_TIERS.find((candidate) => candidate === tierName)
  if (tier === undefined) throw new InvalidInput('model must be cheap, medium or heavy')
  return tier
}

/** @throws InvalidInput for a body that names no subject, or too many */
export function parseSubjects(body: DiscussBody): DiscussionSubjects {
  const question = textIn(body.question, 'question') ?? textIn(body.q, 'q')
  const topic = textIn(body.topic, 'topic')
  const ticker = textIn(body.ticker, 'ticker')
  const requestedTickers = (body.tickers ?? []).flatMap((text) => textIn(text, 'tickers') ?? [])
  const tickers = [...new Set([...(ticker === null ? [] : [ticker]), ...requestedTickers])]
  if (question === null && topic === null && tickers.length === 0) {
    throw new InvalidInput('question, topic or ticker required')
  }
  if (requestedTickers.length > MAX_TICKERS) {
    throw new InvalidInput(`tickers must have at most ${MAX_TICKERS} entries`)
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
