import type { UserBody } from '../../../backend/contract/accounts.ts'
import type { ApiFailure } from '../../api/client.ts'
import { refusalLabel } from './refusal-labels.ts'

/** Fields of the form in which a user changes their own account, in its order. */
export const ACCOUNT_FIELDS = ['name', 'email', 'password', 'currentPassword'] as const
export type AccountField = (typeof ACCOUNT_FIELDS)[number]

/** Values of the fields. */
export type AccountFormValues = Readonly<Record<AccountField, string>>
/** The error of a field, as a sentence. */
export type FieldProblems = Readonly<Partial<Record<AccountField, string>>>

const SENTENCES = {
  name: 'Name must be 1 to 60 characters.',
  email: 'Email must be an address.',
  password: 'Password must be 10 to 256 characters.',
} as const

/** The fields before any edit. */
export const formValuesOf = ({ name, email }: UserBody): AccountFormValues => ({
  name,
  email: email ?? '',
  password: '',
  currentPassword: '',
})

/** The body of the change: only the fields that differ. */
export function changeOf(
  user: UserBody,
  formValues: AccountFormValues,
): Partial<AccountFormValues> {
  const [name, email] = [formValues.name.trim(), formValues.email.trim().toLowerCase()]
  return {
    ...(name !== user.name && { name }),
    ...(email !== (user.email ?? '') && { email }),
    ...(formValues.password !== '' && { password: formValues.password }),
  }
}

/** Whether the service requires the current password. */
export const needsPassword = (user: UserBody, change: Partial<AccountFormValues>): boolean =>
  user.hasPassword && (change.email !== undefined || change.password !== undefined)

/** Checks that need no request; the service validates the rest. */
export function problemsOf(user: UserBody, formValues: AccountFormValues): FieldProblems {
  const change = changeOf(user, formValues)
  const { name, email, password } = change
  const length = Array.from((password ?? '').normalize('NFKC')).length
  const isInvalidName = name !== undefined && (name === '' || Array.from(name).length > 60)
  const isInvalidEmail = email !== undefined && !/^[^\s@]+@[^\s@]+$/.test(email)
  const hasNoEmail = password !== undefined && formValues.email.trim() === ''
  return {
    ...(isInvalidName && { name: SENTENCES.name }),
    ...(hasNoEmail
      ? { email: 'Enter an email as well: you sign in with it.' }
      : isInvalidEmail && { email: SENTENCES.email }),
    ...(password !== undefined && (length < 10 || length > 256)
      ? { password: SENTENCES.password }
      : {}),
    ...(needsPassword(user, change) && formValues.currentPassword === ''
      ? { currentPassword: 'Enter your current password.' }
      : {}),
  }
}

/** An error beside its field; null when it belongs to no field. */
export function fieldProblemOf(failure: ApiFailure): FieldProblems | null {
  const { code, message } = failure
  if (code === 'EMAIL_TAKEN') return { email: `${message}.` }
  if (message === 'Wrong password') return { currentPassword: `${message}.` }
  const field = ACCOUNT_FIELDS.find((name) => message.startsWith(`${name} must be`))
  return field === undefined ? null : { [field]: refusalLabel(failure) }
}
