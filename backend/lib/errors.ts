/**
 * What stops a request, in our words and without HTTP: `http/errors.ts` alone knows statuses and
 * bodies. Anything else that is thrown is a bug.
 */
export abstract class ServiceError extends Error {
  abstract readonly kind: string
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = new.target.name
  }
}

/** A parameter or body was malformed; the message starts with the parameter's name. */
export class InvalidInput extends ServiceError {
  readonly kind = 'InvalidInput'
}
/** The named thing does not exist (or is not the caller's). */
export class NotFound extends ServiceError {
  readonly kind = 'NotFound'
  /** What the answer tells besides, such as what to ask instead. */
  readonly more: Readonly<Record<string, unknown>>
  constructor(message: string, more: Readonly<Record<string, unknown>> = {}) {
    super(message)
    this.more = more
  }
}
/** The thing existed once in this form and does no longer. */
export class Gone extends ServiceError {
  readonly kind = 'Gone'
  readonly code: string
  constructor(message: string, code = 'GONE') {
    super(message)
    this.code = code
  }
}
/** A venue or provider failed and nothing usable is stored. */
export class UpstreamFailed extends ServiceError {
  readonly kind = 'UpstreamFailed'
}
/** A language model did not answer, or its budget is spent; the same without a model may help. */
export class ModelFailed extends ServiceError {
  readonly kind = 'ModelFailed'
}
/** The first load is unfinished; asking again in a few seconds helps. */
export class NotReady extends ServiceError {
  readonly kind = 'NotReady'
}
/** A store refused or failed; nothing of the request was kept. */
export class StoreFailed extends ServiceError {
  readonly kind = 'StoreFailed'
}
/** A store was written by a newer version of the program, and is left as it was. */
export class WrittenByNewer extends StoreFailed {}
/** What was asked takes more time or memory than one question may; asking for less helps. */
export class TooCostly extends ServiceError {
  readonly kind = 'TooCostly'
  readonly code: 'QUERY_TIMEOUT' | 'QUERY_TOO_LARGE'
  constructor(code: 'QUERY_TIMEOUT' | 'QUERY_TOO_LARGE', message: string) {
    super(message)
    this.code = code
  }
}
/** A credential was needed and none was sent. */
export class AuthRequired extends ServiceError {
  readonly kind = 'AuthRequired'
  constructor(message = 'Authentication required') {
    super(message)
  }
}
/** A credential was sent and is not valid here. */
export class AuthInvalid extends ServiceError {
  readonly kind = 'AuthInvalid'
  constructor(message = 'Invalid or revoked credentials') {
    super(message)
  }
}
/** The caller is known and may not do this. */
export class Forbidden extends ServiceError {
  readonly kind = 'Forbidden'
  readonly code: string
  constructor(message: string, code = 'AUTH_FORBIDDEN') {
    super(message)
    this.code = code
  }
}
/** The state of the thing refuses the request. */
export class Conflict extends ServiceError {
  readonly kind = 'Conflict'
  readonly code: string
  /** What the answer tells besides. */
  readonly more: Readonly<Record<string, unknown>>
  constructor(message: string, code = 'CONFLICT', more: Readonly<Record<string, unknown>> = {}) {
    super(message)
    this.code = code
    this.more = more
  }
}
/** What stands in the way of a request that is refused for a reason of its own. */
export type RefusalGround =
  'malformed' | 'over-cap' | 'unknown' | 'too-soon' | 'busy' | 'too-slow' | 'failed'
/** A refusal whose reason programs tell apart by a word. */
export class Refused extends ServiceError {
  readonly kind = 'Refused'
  readonly ground: RefusalGround
  readonly reason: string
  /** What the answer tells besides. */
  readonly more: Readonly<Record<string, unknown>>
  readonly retryAfterSeconds: number | null
  constructor(
    ground: RefusalGround,
    reason: string,
    message: string,
    more: Readonly<Record<string, unknown>> = {},
    retryAfterSeconds: number | null = null,
  ) {
    super(message)
    this.ground = ground
    this.reason = reason
    this.more = more
    this.retryAfterSeconds = retryAfterSeconds
  }
}
/** The caller asked too often. */
export class RateLimited extends ServiceError {
  readonly kind = 'RateLimited'
  readonly retryAfterSeconds: number
  constructor(retryAfterSeconds: number) {
    super('rate limit exceeded')
    this.retryAfterSeconds = retryAfterSeconds
  }
}
