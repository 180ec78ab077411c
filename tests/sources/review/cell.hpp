#pragma once
struct Cell { double volts; int number; };
