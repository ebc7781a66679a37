/** Health of a part of the service or of its data folder. */
export type CheckState = 'ok' | 'warn' | 'fail'

/** One line of `augury doctor`; `fix` states what to do, null when nothing is needed. */
export interface DoctorCheck {
  readonly name: string
  readonly state: CheckState
  readonly detail: string
  readonly fix: string | null
}

export const passedCheck = (name: string, detail: string): DoctorCheck => ({
  name,
  state: 'ok',
  detail,
  fix: null,
})
export const warningCheck = (name: string, detail: string, fix: string): DoctorCheck => ({
  name,
  state: 'warn',
  detail,
  fix,
})
export const failedCheck = (name: string, detail: string, fix: string): DoctorCheck => ({
  name,
  state: 'fail',
  detail,
  fix,
})
