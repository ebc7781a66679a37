/** The running model calls of each thesis, so that its deletion aborts them. */
export class ModelCalls {
  readonly #runningCalls = new Map<string, Set<AbortController>>()

  /** Runs work whose signal aborts with the given one, or when the thesis is deleted. */
  async run<T>(
    thesisId: string,
    signal: AbortSignal,
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const call = new AbortController()
    const calls = this.#runningCalls.get(thesisId) ?? new Set()
    this.#runningCalls.set(thesisId, calls.add(call))
    try {
      return await work(AbortSignal.any([signal, call.signal]))
    } finally {
      calls.delete(call)
      if (calls.size === 0) this.#runningCalls.delete(thesisId)
    }
  }

  abort(thesisId: string): void {
    for (const call of this.#runningCalls.get(thesisId) ?? []) call.abort()
  }
}
