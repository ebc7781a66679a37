import type { PaneEdits } from '../../shell/dock/pane.svelte.ts'

const MAX_STEPS = 50

/** A change of the board; each direction returns why it failed, or null. */
export interface Step {
  /** Description of the change: `"Movers" removed`. */
  readonly text: string
  undo(): Promise<string | null>
  redo(): Promise<string | null>
}

/** Undo and redo of changes to a board, one step at a time. */
export class BoardEdits implements PaneEdits {
  #undoSteps: Step[] = []
  #future: Step[] = []
  /** Settles when the requests of all steps so far are answered. */
  #queue: Promise<void> = Promise.resolve()
  readonly #notify: (text: string, tone: 'info' | 'error') => void

  constructor(notify: (text: string, tone: 'info' | 'error') => void) {
    this.#notify = notify
  }

  record(step: Step): void {
    this.#undoSteps = [...this.#undoSteps, step].slice(-MAX_STEPS)
    this.#future = []
  }

  /** Clears the history, for another user's board. */
  clear(): void {
    this.#undoSteps = []
    this.#future = []
  }

  undo(): boolean {
    const step = this.#undoSteps.pop()
    if (step === undefined) return false
    this.#future.push(step)
    this.#run(() => step.undo(), `Undone: ${step.text}`)
    return true
  }

  redo(): boolean {
    const step = this.#future.pop()
    if (step === undefined) return false
    this.#undoSteps.push(step)
    this.#run(() => step.redo(), `Redone: ${step.text}`)
    return true
  }

  #run(act: () => Promise<string | null>, message: string): void {
    this.#queue = this.#queue.then(async () => {
      const problem = await act()
      this.#notify(problem ?? message, problem === null ? 'info' : 'error')
    })
  }
}
