/** Cost tier of a request; each tier is a configured model. */
export const MODEL_TIERS = ['cheap', 'medium', 'heavy'] as const
export type ModelTier = (typeof MODEL_TIERS)[number]

/** Cost of language model calls, as far as the provider reports it. */
export interface ModelSpend {
  readonly calls: number
  readonly inputTokens: number
  readonly outputTokens: number
  /** Dollars of the calls whose price is known. */
  readonly costUsd: number
  /** Calls whose price is unknown: the provider states none and the user set none. */
  readonly unpricedCalls?: number
}

/** Dollars per million tokens. */
export interface TokenPrice {
  readonly input: number
  readonly output: number
}

/** A JSON schema with a name of letters, digits and underscores. */
export interface AnswerSchema {
  readonly name: string
  readonly schema: Readonly<Record<string, unknown>>
}

export interface ModelRequest {
  readonly tier: ModelTier
  /** Instructions to the model. */
  readonly system: string
  /** The input of the instructions; untrusted text in it is fenced. */
  readonly user: string
  /** Shape of the answer; endpoints without support for it return any text. */
  readonly schema?: AnswerSchema
  /** Maximum length of the answer, tokens; that of short texts by default. */
  readonly answerTokens?: number
  /** Timeout of the call, ms; that of short texts by default. */
  readonly timeout?: number
  readonly signal?: AbortSignal
  /** Called once with the cost, also when the call failed after it was sent. */
  readonly onSpent?: (spend: ModelSpend) => void
}

/** A language model, independent of its protocol. */
export interface LanguageModel {
  /** Name of the model of a tier; a tier without its own model uses the cheap one. */
  nameOf(tier: ModelTier): string
  /** @throws ModelFailed when it does not answer in time, refuses, or the budget is spent */
  complete(request: ModelRequest): Promise<{ readonly text: string; readonly model: string }>
}

/** Fences an untrusted text, so that it can neither close its fence nor open another. */
export const fence = (name: string, text: string): string =>
  `<${name}>\n${text.replace(/[<>]/g, ' ')}\n</${name}>`
