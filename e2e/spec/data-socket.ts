import { covered, type Requirement } from './requirement.ts'

/** The real-time socket, each part of its protocol apart. */
export const DATA_SOCKET: readonly Requirement[] = [
  covered('data-service.socket.header-auth', '5', 'a data key in the header authenticates at once'),
  covered('data-service.socket.frame-auth', '5', 'without a header the first frame is a data key'),
  covered('data-service.socket.revoked', '5', 'a revoked key closes its connections at once'),
  covered('data-service.socket.connection-limit', '6.2', 'at most 5 connections a key'),
  covered('data-service.socket.topic-limit', '6.2', 'at most 200 topics a connection'),
  covered('data-service.socket.frame-limit', '6.2', 'at most 20 frames a second, 50 at once'),
  covered('data-service.socket.bad-frames', '6.2', 'six bad frames in a minute close'),
  covered('data-service.socket.heartbeat', '6.2', 'a ping every 20 s, 60 s of silence close'),
  covered('data-service.socket.subscribe', '6.2', 'an ack, then a snapshot of each topic in order'),
  covered('data-service.socket.ticker', '6.2', 'ticker: changed fields, at most 10 a second'),
  covered('data-service.socket.trades', '6.2', 'trades: the newest 50, then each new one'),
  covered('data-service.socket.book', '6.2', 'book: levels by absolute size'),
  covered('data-service.socket.candles', '6.2', 'candles: bars, the open one as it changes'),
  covered('data-service.socket.movers', '6.2', 'movers: the list when it changed, every 5 s'),
  covered('data-service.socket.world', '6.2', 'world: a delta with each stored snapshot'),
  covered('data-service.socket.resume', '6.2', 'a reader that reconnects gets what it missed'),
  covered('data-service.socket.epochs', '6.2', 'an epoch ends with idleness or a moved clock'),
  covered('data-service.socket.conflation', '6.2', 'a slow reader gets merged changes'),
  covered('data-service.socket.slow-consumer', '6.2', 'a stalled reader is disconnected'),
  covered(
    'data-service.socket.replica',
    '6.2',
    'a reader that follows the protocol is never wrong',
  ),
  covered('data-service.socket.described', '6.2', 'the socket is described in AsyncAPI'),
]
