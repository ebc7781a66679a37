/**
 * An expected failure of a request, independent of HTTP: only `http/errors.ts` maps it to a status
 * and a body. Any other thrown error is a bug.
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
  readonly code: string
  /** Additional fields of the response. */
  readonly details: Readonly<Record<string, unknown>>
  constructor(
    message: string,
    options: ErrorOptions & {
      readonly code?: string
      readonly details?: Readonly<Record<string, unknown>>
    } = {},
  ) {
    super(message, options)
    this.code = options.code ?? 'VALIDATION_ERROR'
    this.details = options.details ?? {}
  }
}
/** The named object does not exist, or does not belong to the caller. */
export class NotFound extends ServiceError {
  readonly kind = 'NotFound'
  /** Additional fields of the response, such as alternatives. */
  readonly details: Readonly<Record<string, unknown>>
  constructor(message: string, extraFields: Readonly<Record<string, unknown>> = {}) {
    super(message)
    this.details = extraFields
  }
}
/** The object existed in this form and no longer does. */
export class Gone extends ServiceError {
  readonly kind = 'Gone'
  readonly code: string
  constructor(message: string, code = 'GONE') {
    super(message)
    this.code = code
  }
}
/** A venue or provider failed and nothing usable is stored; the message is shown to users. */
export class UpstreamFailed extends ServiceError {
  readonly kind = 'UpstreamFailed'
}
/**
 * A language model did not answer, or its budget is spent; the same request without a model may
 * work.
 */
export class ModelFailed extends ServiceError {
  readonly kind = 'ModelFailed'
}
/** The first data is not loaded yet; retrying in a few seconds helps. */
export class NotReady extends ServiceError {
  readonly kind = 'NotReady'
}
/** A setting that the request needs is not made; retrying does not help. */
export class NotConfigured extends ServiceError {
  readonly kind = 'NotConfigured'
}
/** A store refused or failed; nothing of the request was stored. */
export class StoreFailed extends ServiceError {
  readonly kind = 'StoreFailed'
}
/** A store was written by a newer version of the program, and is left unchanged. */
export class NewerVersionError extends StoreFailed {}
/** The request takes more time or memory than allowed; requesting less helps. */
export class TooCostly extends ServiceError {
  readonly kind = 'TooCostly'
  readonly code: 'QUERY_TIMEOUT' | 'QUERY_TOO_LARGE'
  constructor(code: 'QUERY_TIMEOUT' | 'QUERY_TOO_LARGE', message: string) {
    super(message)
    this.code = code
  }
}
/** A credential is required and none was sent. */
export class AuthRequired extends ServiceError {
  readonly kind = 'AuthRequired'
  constructor(message = 'Authentication required') {
    super(message)
  }
}
/** The credential sent is not valid here. */
export class AuthInvalid extends ServiceError {
  readonly kind = 'AuthInvalid'
  constructor(message = 'Invalid or revoked credentials') {
    super(message)
  }
}
/** The caller is authenticated and lacks permission. */
export class Forbidden extends ServiceError {
  readonly kind = 'Forbidden'
  readonly code: string
  constructor(message: string, code = 'AUTH_FORBIDDEN') {
    super(message)
    this.code = code
  }
}
/** The state of the object does not allow the request. */
export class Conflict extends ServiceError {
  readonly kind = 'Conflict'
  readonly code: string
  /** Additional fields of the response. */
  readonly details: Readonly<Record<string, unknown>>
  constructor(
    message: string,
    code = 'CONFLICT',
    extraFields: Readonly<Record<string, unknown>> = {},
  ) {
    super(message)
    this.code = code
    this.details = extraFields
  }
}
/** Category of a refusal. */
export type RefusalGround =
  'malformed' | 'over-cap' | 'unknown' | 'too-soon' | 'busy' | 'too-slow' | 'failed'
/** A refusal whose reason programs distinguish by a code. */
export class Refused extends ServiceError {
  readonly kind = 'Refused'
  readonly ground: RefusalGround
  readonly reason: string
  /** Additional fields of the response. */
  readonly details: Readonly<Record<string, unknown>>
  readonly retryAfterSeconds: number | null
  constructor(
    ground: RefusalGround,
    reason: string,
    message: string,
    extraFields: Readonly<Record<string, unknown>> = {},
    retryAfterSeconds: number | null = null,
  ) {
    super(message)
    this.ground = ground
    this.reason = reason
    this.details = extraFields
    this.retryAfterSeconds = retryAfterSeconds
  }
}
/** The caller sent too many requests. */
export class RateLimited extends ServiceError {
  readonly kind = 'RateLimited'
  readonly retryAfterSeconds: number
  constructor(retryAfterSeconds: number) {
    super('rate limit exceeded')
    this.retryAfterSeconds = retryAfterSeconds
  }
}
