import { LINK_LETTERS, type Sink, type TextForm } from './command.ts'
import type { Token } from './tokens.ts'

export const TEXT_FORMS: readonly TextForm[] = ['csv', 'json', 'md', 'png', 'clip']
type TextSink = Sink & { readonly kind: TextForm }

/** Whether the target of an answer is an export. */
export const isTextSink = (sink: Sink | null): sink is TextSink =>
  sink !== null && TEXT_FORMS.some((form) => form === sink.kind)

const PANE_NUMBER = /^[1-9]$/

/** Words that may follow `to` and `in`. */
export const SINKS: Readonly<Record<string, readonly string[]>> = {
  to: TEXT_FORMS,
  in: ['new', 'float', ...LINK_LETTERS, '1', '2', '3', '4', '5', '6', '7', '8', '9'],
}

/** The target of an answer from the last two words of a command; null when they name none. */
export function sinkAtEnd(tokens: readonly Token[]): Sink | null {
  const [word, target] = tokens.slice(-2)
  if (word === undefined || target === undefined || word.quoted || target.quoted) return null
  const sinkWord = word.text.toLowerCase()
  const name = target.text.toLowerCase()
  const targets = SINKS[sinkWord]
  if (targets?.some((candidate) => candidate.toLowerCase() === name) !== true) return null
  const letter = LINK_LETTERS.find((candidate) => candidate.toLowerCase() === name)
  if (letter !== undefined) return { kind: 'link', letter }
  if (PANE_NUMBER.test(name)) return { kind: 'pane', number: Number(name) }
  return { kind: name as TextForm | 'new' | 'float' }
}
