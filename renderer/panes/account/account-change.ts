import type { User } from '../../api/account-types.ts'
import type { ApiFailure } from '../../api/client.ts'
import { refusalWords } from './refusal-words.ts'

/** Fields of the form in which a user changes their own account, in its order. */
export const ACCOUNT_FIELDS = ['name', 'email', 'password', 'currentPassword'] as const
export type AccountField = (typeof ACCOUNT_FIELDS)[number]

/** What stands in the fields. */
export type TypedAccount = Readonly<Record<AccountField, string>>
/** What is wrong with a field, as a sentence. */
export type FieldFaults = Readonly<Partial<Record<AccountField, string>>>

const SENTENCES = {
  name: 'Name must be 1 to 60 characters.',
  email: 'Email must be an address.',
  password: 'Password must be 10 to 256 characters.',
} as const

/** The fields as they are when nothing was typed. */
export const typedOf = ({ name, email }: User): TypedAccount => ({
  ...{ name, email: email ?? '', password: '', currentPassword: '' },
})

/** What the service is to change: the fields that differ. */
export function changeOf(user: User, typed: TypedAccount): Partial<TypedAccount> {
  const [name, email] = [typed.name.trim(), typed.email.trim().toLowerCase()]
  return {
    ...(name !== user.name && { name }),
    ...(email !== (user.email ?? '') && { email }),
    ...(typed.password !== '' && { password: typed.password }),
  }
}

/** Whether the service asks for the password that the account has. */
export const needsPassword = (user: User, change: Partial<TypedAccount>): boolean =>
  user.hasPassword && (change.email !== undefined || change.password !== undefined)

/** What can be told of a change without asking; the service decides. */
export function faultsOf(user: User, typed: TypedAccount): FieldFaults {
  const change = changeOf(user, typed)
  const { name, email, password } = change
  const length = Array.from((password ?? '').normalize('NFKC')).length
  const isBareName = name !== undefined && (name === '' || Array.from(name).length > 60)
  const isNoAddress = email !== undefined && !/^[^\s@]+@[^\s@]+$/.test(email)
  const signsInByNothing = password !== undefined && typed.email.trim() === ''
  return {
    ...(isBareName && { name: SENTENCES.name }),
    ...(signsInByNothing
      ? { email: 'Type an email too: you sign in by it.' }
      : isNoAddress && { email: SENTENCES.email }),
    ...(password !== undefined && (length < 10 || length > 256)
      ? { password: SENTENCES.password }
      : {}),
    ...(needsPassword(user, change) && typed.currentPassword === ''
      ? { currentPassword: 'Type the password that the account has now.' }
      : {}),
  }
}

/** A refusal beside the field that it is about; null for one that is about none. */
export function fieldRefused(failure: ApiFailure): FieldFaults | null {
  const { code, message } = failure
  if (code === 'EMAIL_TAKEN') return { email: `${message}.` }
  if (message === 'Wrong password') return { currentPassword: `${message}.` }
  const field = ACCOUNT_FIELDS.find((name) => message.startsWith(`${name} must be`))
  return field === undefined ? null : { [field]: refusalWords(failure) }
}
