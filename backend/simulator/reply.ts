/** A complete response of a host. */
export interface Reply {
  readonly status: number
  readonly body: string
  readonly type: string
}

export const json = (value: unknown, status = 200): Reply => ({
  status,
  body: JSON.stringify(value),
  type: 'application/json',
})

/** A body that is JSON text already. */
export const jsonText = (body: string): Reply => ({ status: 200, body, type: 'application/json' })
