// Servos of MuJoCo's arm: references as controls, motors and controllers as user dynamics, and sampled control.

#include <math.h>
#include <mujoco/mujoco.h>

enum { MOST = 16 };

static struct {
  double amplitude[MOST], kp[MOST], ki[MOST], kd[MOST];
  double frequency, gear, constant, resistance, inductance, period;
  int joints;
} servo;

void servo_set(int joints, const double* amplitude, const double* gains, const double* numbers) {
  servo.joints = joints;
  for (int i = 0; i < joints; i++) {
    servo.amplitude[i] = amplitude[i];
    servo.kp[i] = gains[3 * i];
    servo.ki[i] = gains[3 * i + 1];
    servo.kd[i] = gains[3 * i + 2];
  }
  servo.frequency = numbers[0];
  servo.gear = numbers[1];
  servo.constant = numbers[2];
  servo.resistance = numbers[3];
  servo.inductance = numbers[4];
  servo.period = numbers[5];
}

// mjcb_control: angle and rate of the reference at the motor, for actuators of type dcmotor
void servo_reference(const mjModel* m, mjData* d) {
  double angle = servo.gear * (1 - cos(servo.frequency * d->time));
  double rate = servo.gear * servo.frequency * sin(servo.frequency * d->time);
  for (int i = 0; i < servo.joints; i++) {
    d->ctrl[2 * i] = servo.amplitude[i] * angle;
    d->ctrl[2 * i + 1] = servo.amplitude[i] * rate;
  }
}

// mjcb_act_dyn: rates of the integral of the error and of the current
mjtNum servo_dynamics(const mjModel* m, const mjData* d, int id) {
  int at = m->actuator_actadr[id];
  double q = d->actuator_length[id] / servo.gear, u = d->actuator_velocity[id] / servo.gear;
  double error = servo.amplitude[id] * (1 - cos(servo.frequency * d->time)) - q;
  double lag = servo.amplitude[id] * servo.frequency * sin(servo.frequency * d->time) - u;
  double torque = servo.kp[id] * error + servo.ki[id] * d->act[at] + servo.kd[id] * lag;
  double back = servo.gear * servo.constant * u;
  double voltage = servo.resistance / (servo.gear * servo.constant) * torque + back;
  d->act_dot[at] = error;
  d->act_dot[at + 1] = (voltage - servo.resistance * d->act[at + 1] - back) / servo.inductance;
  return 0;
}

// mjcb_act_dyn: rate of the current under the voltage given as control
mjtNum servo_current(const mjModel* m, const mjData* d, int id) {
  double back = servo.constant * d->actuator_velocity[id];
  return (d->ctrl[id] - servo.resistance * d->act[m->actuator_actadr[id]] - back) / servo.inductance;
}

// Sampled control: voltages are set before each `steps` steps of the integrator
void servo_sampled(const mjModel* m, mjData* d, int samples, int steps, void (*step)(const mjModel*, mjData*)) {
  double emf = servo.gear * servo.constant;
  for (int k = 0; k < samples; k++) {
    double t = k * servo.period;
    double angle = 1 - cos(servo.frequency * t), rate = servo.frequency * sin(servo.frequency * t);
    for (int i = 0; i < servo.joints; i++) {
      double error = servo.amplitude[i] * angle - d->qpos[i], lag = servo.amplitude[i] * rate - d->qvel[i];
      double torque = servo.kp[i] * error + servo.kd[i] * lag;
      d->ctrl[i] = servo.resistance / emf * torque + emf * d->qvel[i];
    }
    for (int j = 0; j < steps; j++) step(m, d);
  }
}
