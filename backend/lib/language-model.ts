/** How much a model may cost; each tier is a configured model. */
export const MODEL_TIERS = ['cheap', 'medium', 'heavy'] as const
export type ModelTier = (typeof MODEL_TIERS)[number]

/** What calls of a language model cost, as far as its provider said so. */
export interface ModelSpend {
  readonly calls: number
  readonly inputTokens: number
  readonly outputTokens: number
  /** Dollars; 0 where the provider states no price. */
  readonly costUsd: number
}

export interface ModelRequest {
  readonly tier: ModelTier
  /** What the model is told to do. */
  readonly system: string
  /** What it is told to do it with; foreign text stands in here, fenced. */
  readonly user: string
  readonly signal?: AbortSignal
  /** Hears once what the call cost, also when it failed after it was sent. */
  readonly onSpent?: (spend: ModelSpend) => void
}

/** A language model behind whatever protocol. */
export interface LanguageModel {
  /** Name of the model that answers for a tier; a tier without a model of its own has the cheap one. */
  nameOf(tier: ModelTier): string
  /** @throws ModelFailed when it does not answer in time, refuses, or the budget is spent */
  complete(request: ModelRequest): Promise<{ readonly text: string; readonly model: string }>
}

/** Fences a foreign text, so that it can neither close its fence nor open another. */
export const fenced = (name: string, text: string): string =>
  `<${name}>\n${text.replace(/[<>]/g, ' ')}\n</${name}>`
