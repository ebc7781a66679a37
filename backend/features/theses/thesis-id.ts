import { t } from 'elysia'

/** Path of an own thesis. */
export const ThesisId = t.Object({
  id: t.String({ description: 'id of an own thesis, or its first 8 characters or more' }),
})

/** Policies of the routes of a user's theses. */
export const ownerOnly = { auth: 'required', cache: 'no-store' } as const
/** The same, for what may ask a model. */
export const ownerOnlyByModel = { ...ownerOnly, rate: 'thesis-model' } as const
