// Time: where we are, whether it runs, how fast.
import { momentAt } from "./moment.js";

export class Timeline {
  constructor(times, step) {
    Object.assign(this, { times, stepLength: step, playing: false, speed: 1, loop: true, onChange: () => {} });
    [this.start, this.end] = [times[0], times[times.length - 1]];
    this.seek(this.start);
  }

  get moment() {
    return momentAt(this.times, this.time);
  }

  seek(time) {
    this.time = Math.min(Math.max(time, this.start), this.end);
    this.onChange();
  }

  play() {
    if (this.end === this.start) return;
    if (this.time >= this.end) this.time = this.start;
    this.playing = true;
    this.onChange();
  }

  pause() {
    this.playing = false;
    this.onChange();
  }

  toggle() {
    if (this.playing) this.pause();
    else this.play();
  }

  /** Go on by a number of steps, to a whole step from the beginning. */
  step(count) {
    this.playing = false;
    if (!this.stepLength) return this.seek(this.time);
    const here = (this.time - this.start) / this.stepLength;
    const whole = count > 0 ? Math.floor(here + 1e-6) : Math.ceil(here - 1e-6);
    return this.seek(this.start + (whole + count) * this.stepLength);
  }

  advance(seconds) {
    if (!this.playing) return;
    const time = this.time + seconds * this.speed;
    if (time < this.end) this.seek(time);
    else if (this.loop) this.seek(this.start + ((time - this.start) % (this.end - this.start)));
    else {
      this.playing = false;
      this.seek(this.end);
    }
  }
}
