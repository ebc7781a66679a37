import type { AnswerSchema, ModelSpend } from '../../lib/language-model.ts'

/** Cost of a call, as far as its reply states it. */
export interface TokenUsage extends Pick<ModelSpend, 'inputTokens' | 'outputTokens'> {
  /** Null when the reply states no price. */
  readonly costUsd: number | null
}
export const NO_USAGE: TokenUsage = { inputTokens: 0, outputTokens: 0, costUsd: null }

export interface ModelCall {
  readonly model: string
  readonly system: string
  readonly user: string
  readonly schema: AnswerSchema | null
  /** Maximum length of the answer, tokens. */
  readonly answerTokens: number
  /** Parameters that this model refused in an earlier call. */
  readonly refused: ReadonlySet<string>
}

/** The wire format of a language model over HTTP. */
export interface ModelWire {
  /** Parameters that some models refuse, and that a call can do without. */
  readonly optional: readonly string[]
  /** Address of a call below the configured address. */
  endpointUrl(base: string): string
  headersOf(key: string | null): Readonly<Record<string, string>>
  bodyOf(call: ModelCall): object
  /** Text of a reply; null for one that is malformed, refused, empty, or cut off. */
  textOf(reply: unknown): string | null
  usageOf(reply: unknown): TokenUsage
}

/** Own property of an object; undefined for other values. */
export const field = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined

/** A positive number in an object; 0 when it is absent or something else. */
export function amountOf(value: unknown, name: string): number {
  const amount = field(value, name)
  return typeof amount === 'number' && Number.isFinite(amount) && amount > 0 ? amount : 0
}
