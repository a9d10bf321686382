// One watch as server-sent events (WHATWG HTML, section 9.2): `open` once requests are told, `request`,
// `skipped` with how many were too many to tell, and `end` with why it is over. Whoever watches is looked at
// again every other second.

import { inTime } from '../../../domain/in-time.ts';
import { asServiceError, ServiceError } from '../../../domain/service-error.ts';
import type { ShareId } from '../../../domain/id.ts';
import type { RequestBatch } from '../../../domain/share-request.ts';
import { requestObject } from './request-object.ts';
import { type LiveRequests, stopping, type Watch } from './live-requests.ts';

export type WatchOptions = {
  readonly live: LiveRequests;
  readonly shareId: ShareId;
  /** Rejects with why whoever watches may do so no longer. */
  readonly mayWatch: () => Promise<void>;
  /** Called once, when it is over. */
  readonly over: () => void;
};

/** Throws `draining`. */
export function watchStream(options: WatchOptions): ReadableStream<Uint8Array> {
  let stop: (() => void) | null = null;
  return new ReadableStream<Uint8Array>(
    {
      start: (controller) => {
        stop = run(options, controller);
      },
      cancel: () => stop?.(),
    },
    new ByteLengthQueuingStrategy({ highWaterMark: MOST_UNREAD_BYTES }),
  );
}

/** Answers how to stop. */
function run(options: WatchOptions, controller: ReadableStreamDefaultController<Uint8Array>): () => void {
  const writer = createWriter(controller);
  const timers: NodeJS.Timeout[] = [];
  let over = false;
  const stop = () => {
    if (over) return;
    over = true;
    watch.stop();
    timers.forEach(clearInterval);
    options.over();
  };
  const end = (fault: ServiceError) => {
    if (over) return;
    stop();
    writer.say('end', { code: fault.code, detail: fault.message, hint: fault.hint });
    controller.close();
  };
  const watch: Watch = options.live.watch(options.shareId, {
    heard: (batch) => writer.tell(batch),
    ending: () => end(stopping()),
  });
  const look = () =>
    lookAgain(options.mayWatch).catch((error: unknown) => end(asServiceError(error, UNEXPECTED)));
  const beat = () => {
    if (writer.beat()) return;
    stop();
    controller.error(new Error('Cannot continue the live view: the client stopped reading'));
  };
  const sayOpen = async () => {
    await watch.ready;
    if (!over) writer.say('open', {});
  };
  void sayOpen();
  timers.push(setInterval(() => void look(), LOOK_MS).unref(), setInterval(beat, BEAT_MS).unref());
  return stop;
}

/** A store that does not answer is no reason to go on: who watches may be nobody's by now. */
async function lookAgain(mayWatch: () => Promise<void>): Promise<void> {
  await inTime(mayWatch(), LOOK_LIMIT_MS, () => {
    throw unanswered();
  });
}

type Writer = {
  readonly say: (event: string, data: object) => void;
  readonly tell: (batch: RequestBatch) => void;
  /** False when nothing was read since long. */
  readonly beat: () => boolean;
};

/** Whoever reads slowly misses requests, and is told how many. */
function createWriter(controller: ReadableStreamDefaultController<Uint8Array>): Writer {
  const encoder = new TextEncoder();
  let skipped = 0;
  let fullBeats = 0;
  const hasRoom = () => (controller.desiredSize ?? 0) > 0;
  const write = (text: string) => controller.enqueue(encoder.encode(text));
  const say = (event: string, data: object) => write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  const saySkipped = () => {
    if (skipped === 0 || !hasRoom()) return;
    say('skipped', { skipped });
    skipped = 0;
  };
  return {
    say,
    tell: (batch) => {
      for (const request of batch.requests) {
        saySkipped();
        if (hasRoom()) say('request', requestObject(request));
        else skipped++;
      }
      skipped += batch.skipped;
      saySkipped();
    },
    beat: () => {
      saySkipped();
      fullBeats = hasRoom() ? 0 : fullBeats + 1;
      if (fullBeats === 0) write(': still here\n\n');
      return fullBeats < MOST_FULL_BEATS;
    },
  };
}

function unanswered(): ServiceError {
  return new ServiceError('store_unavailable', 'Cannot continue the live view: the database does not answer');
}

const UNEXPECTED = 'Cannot continue the live view: an unexpected error occurred';
/** With the limit below, whoever may watch no longer is out within five seconds. */
const LOOK_MS = 2_000;
const LOOK_LIMIT_MS = 2_500;
/** Proxies end connections on which nothing comes for a minute. */
const BEAT_MS = 15_000;
/** Of beats without room: a minute in which nothing was read. */
const MOST_FULL_BEATS = 4;
/** Some hundred requests. */
const MOST_UNREAD_BYTES = 64 * 1024;
