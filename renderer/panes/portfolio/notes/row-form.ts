import type { ApiFailure } from '../../../api/client.ts'
import { refusalLabel } from '../../account/refusal-labels.ts'

/** A field of a row's form. */
export interface RowField {
  /** Its name in the request. */
  readonly name: string
  readonly label: string
  readonly kind: 'line' | 'text' | 'choice'
  readonly choices?: readonly string[]
  readonly placeholder?: string
  readonly maxLength?: number
}

/** The values of a form as typed, by the name of their field. */
export type Values = Readonly<Record<string, string>>

export interface RowProblem {
  /** Name of the field; empty for an error of the whole form. */
  readonly field: string
  readonly text: string
}

/** Why the service rejected a row, beside its field: its message begins with the name. */
export function rowProblem(failure: ApiFailure, fields: readonly RowField[]): RowProblem {
  const [name = ''] = /^\w+/.exec(failure.message) ?? []
  const field =
    failure.kind === 'refused' ? fields.find((candidate) => candidate.name === name) : undefined
  if (field === undefined) return { field: '', text: refusalLabel(failure) }
  return {
    field: name,
    text: `${field.label}${failure.message.slice(name.length).replace(/\.$/, '')}.`,
  }
}

/** A typed whole number; other text is sent as it is, so that the service rejects its field. */
export const numberOrText = (text: string): number | string =>
  /^\d+$/.test(text.trim()) ? Number(text.trim()) : text

/** Null for a blank text. */
export const textOrNull = (text: string): string | null => (text.trim() === '' ? null : text.trim())
